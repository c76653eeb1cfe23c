// How do several runs stand beside each other? One card each; their charts zoom, move and point together.
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const end = Math.max(0.001, ...data.runs.map((run) => run.series.end));
  const whole = [0, end];
  const troubles = data.runs.flatMap((run) => run.series.phases.map((phase) => phase[1])).filter((to) => to < end);
  const panes = [];
  let busy = false;

  const {element} = Overview;

  function card(run) {
    const figure = element('figure', 'run');
    const head = element('header');
    head.append(element('h3', '', run.name), element('span', `badge ${run.passed ? 'good' : 'bad'}`, run.passed ? 'passed' : 'failed'),
                element('span', 'seed', `seed ${run.seed} · ${run.series.losses_total} packets declared lost`));
    figure.append(head, element('p', 'verdict', run.verdict));
    document.getElementById('runs').append(figure);
    panes.push(...Overview.draw(figure, run.series, whole));
    if (run.replay) {
      const caption = element('figcaption', 'replay', 'again: ');
      caption.append(element('code', '', run.replay));
      figure.append(caption);
    }
  }

  const isSame = () => document.getElementById('same').checked;
  // With one scale for all: the highest value of all panes of that kind. Else each pane finds its own.
  const scaleOf = (pane) => (isSame() ? [0, 1.06 * Math.max(...panes.filter((p) => p.small === pane.small).map((p) => p.highest))] : null);

  function together(work) {
    if (busy) return;
    busy = true;
    try { work(); } finally { busy = false; }
  }

  function show(span) {
    together(() => panes.forEach((pane) => pane.graph.updateOptions({dateWindow: span.slice()})));
  }
  function reset() {
    together(() => panes.forEach((pane) => pane.graph.updateOptions({dateWindow: whole.slice(), valueRange: scaleOf(pane)})));
  }
  // Zooms by `factor` around the middle and moves by `shift` spans, within the whole run.
  function change(factor, shift) {
    const [from, to] = panes[0].graph.xAxisRange();
    const width = Math.min(end, (to - from) * factor);
    const start = Math.min(Math.max(0, (from + to - width) / 2 + shift * width), end - width);
    show([start, start + width]);
  }

  // Somebody zoomed or moved one chart: the others follow, in time always, in height when they share a scale.
  function follow(leader) {
    together(() => {
      const span = leader.graph.xAxisRange();
      const range = leader.graph.yAxisRange();
      for (const pane of panes) {
        if (pane === leader) continue;
        const options = {dateWindow: span};
        if (isSame() && pane.small === leader.small) options.valueRange = range;
        pane.graph.updateOptions(options);
      }
    });
  }
  function point(leader, time) {
    together(() => {
      for (const pane of panes) {
        pane.point(time);
        if (pane === leader) continue;
        const row = time === null ? -1 : pane.rowAt(time);
        if (row < 0) pane.graph.clearSelection(); else pane.graph.setSelection(row);
      }
    });
  }

  function wire(pane) {
    pane.graph.updateOptions({
      valueRange: scaleOf(pane),
      interactionModel: {...Dygraph.defaultInteractionModel, dblclick: reset},
      drawCallback: (graph, isInitial) => { if (!isInitial) follow(pane); },
      highlightCallback: (event, time) => point(pane, time),
      unhighlightCallback: () => point(pane, null),
    });
  }

  function recolour() {
    together(() => panes.forEach((pane) => pane.recolour()));
  }

  data.runs.forEach(card);
  together(() => panes.forEach(wire));

  const on = (id, event, work) => document.getElementById(id).addEventListener(event, work);
  on('whole', 'click', reset);
  on('after', 'click', () => show([Math.max(...troubles), end]));
  on('zoom-in', 'click', () => change(0.5, 0));
  on('zoom-out', 'click', () => change(2, 0));
  on('earlier', 'click', () => change(1, -0.5));
  on('later', 'click', () => change(1, 0.5));
  on('same', 'change', reset);
  document.getElementById('after').disabled = troubles.length === 0;

  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  // Paper is light, and narrower than the screen. (Canvases resized at this moment would be printed blank.)
  const PAPER_WIDTH = 326;
  function paper(isPaper) {
    const root = document.documentElement;
    const width = Math.max(1, ...panes.map((pane) => pane.graph.size().width));
    root.toggleAttribute('data-print', isPaper);
    root.style.setProperty('--pane-width', `${width}px`);
    root.style.setProperty('--pane-zoom', String(PAPER_WIDTH / width));
    recolour();
  }
  window.addEventListener('beforeprint', () => paper(true));
  window.addEventListener('afterprint', () => paper(false));
})();
