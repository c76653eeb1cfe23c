// What does one connection look like? Two panes over the same seconds: the window with its states and losses, and
// what was delivered. Knows nothing of the page around it.
'use strict';

const Overview = (() => {
  const STATES = {
    slow_start: '--slow-start', conservative_slow_start: '--slow-start', congestion_avoidance: '--avoidance', recovery: '--recovery',
    application_limited: '--app-limited',
  };
  const WINDOW = {
    title: 'Window',
    curves: [['in_flight', 'bytes in flight', '--in-flight'], ['ssthresh', 'slow start threshold', '--ssthresh'],
             ['cwnd', 'congestion window', '--cwnd']],
  };
  const DELIVERY = {
    title: 'Bytes',
    curves: [['lost', 'declared lost', '--lost'], ['delivered', 'delivered', '--delivered']],
  };
  const DASHES = {ssthresh: [6, 4], lost: [3, 3]};
  const WIDTHS = {cwnd: 2, delivered: 2, in_flight: 1, ssthresh: 1.5, lost: 1.5};

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function bytes(n) {
    if (n === null || n === undefined || Number.isNaN(n)) return '–';
    const units = ['B', 'kB', 'MB', 'GB', 'TB'];
    let unit = 0;
    while (Math.abs(n) >= 1000 && unit < units.length - 1) { n /= 1000; unit += 1; }
    return `${Number(n.toPrecision(3))} ${units[unit]}`;
  }

  // Step curves, each with its own times, as rows of one table: a value holds until its curve's next point.
  function rows(series, names) {
    const at = names.map(() => 0);
    const last = names.map(() => null);
    const table = [];
    for (;;) {
      let time = Infinity;
      names.forEach((name, i) => { if (at[i] < series[name][0].length) time = Math.min(time, series[name][0][at[i]]); });
      if (time === Infinity) break;
      names.forEach((name, i) => {
        const [times, values] = series[name];
        // The last one of several at the same time wins, the extremes among them having been drawn on the way.
        if (at[i] < times.length && times[at[i]] === time) { last[i] = values[at[i]]; at[i] += 1; }
      });
      table.push([time, ...last]);
    }
    if (table.length === 0) table.push([0, ...last]);
    if (table[table.length - 1][0] < series.end) table.push([series.end, ...last]);
    return table;
  }

  function drawBands(canvas, area, x, series) {
    canvas.globalAlpha = Number(colour('--band'));
    for (const [from, to, state] of series.states) {
      const left = Math.max(area.x, x(from));
      const right = Math.min(area.x + area.w, x(to));
      if (right <= left) continue;
      canvas.fillStyle = colour(STATES[state] || '--app-limited');
      canvas.fillRect(left, area.y, right - left, area.h);
    }
  }

  function drawPhases(canvas, area, x, series, withLabels) {
    const height = 16;
    canvas.strokeStyle = canvas.fillStyle = colour('--phase');
    for (const [from, to, label] of series.phases) {
      const left = Math.max(area.x, x(from));
      const right = Math.min(area.x + area.w, x(to));
      if (right <= left) continue;
      canvas.save();
      canvas.globalAlpha = 0.35;
      canvas.lineWidth = 1;
      canvas.strokeRect(left + 0.5, area.y + 0.5, right - left - 1, height);
      canvas.beginPath();
      canvas.rect(left, area.y, right - left, height);
      canvas.clip();
      canvas.beginPath();
      for (let i = left - height; i < right; i += 7) { canvas.moveTo(i, area.y + height); canvas.lineTo(i + height, area.y); }
      canvas.stroke();
      canvas.restore();
      if (!withLabels) continue;
      canvas.save();
      canvas.font = '11px system-ui, sans-serif';
      // Inside the hatched bar where it fits, behind it where it does not.
      const width = canvas.measureText(label).width + 8;
      const start = width + 8 < right - left ? left + 5 : right + 2;
      canvas.fillStyle = colour('--card');
      canvas.globalAlpha = 0.8;
      canvas.fillRect(start, area.y + 1, width, height - 1);
      canvas.globalAlpha = 1;
      canvas.fillStyle = colour('--phase');
      canvas.fillText(label, start + 4, area.y + 12);
      canvas.restore();
    }
  }

  function drawLosses(canvas, area, x, series) {
    canvas.globalAlpha = 0.9;
    canvas.fillStyle = colour('--loss');
    for (const time of series.losses) {
      const at = x(time);
      if (at >= area.x && at <= area.x + area.w) canvas.fillRect(at - 0.75, area.y + area.h - 9, 1.5, 9);
    }
  }

  function underlay(series, isMain) {
    return (canvas, area, graph) => {
      const x = (seconds) => graph.toDomXCoord(seconds);
      canvas.save();
      canvas.beginPath();
      canvas.rect(area.x, area.y, area.w, area.h);
      canvas.clip();
      drawBands(canvas, area, x, series);
      if (isMain) drawLosses(canvas, area, x, series);
      drawPhases(canvas, area, x, series, isMain);
      canvas.restore();
    };
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // The line above a pane: the names of its curves in their colours, with the values under the pointer.
  function showLegend(line, spec, time, values) {
    line.replaceChildren(element('b', '', time === null ? spec.title : `${time.toFixed(3)} s`));
    spec.curves.slice().reverse().forEach(([key, name, tint]) => {
      const part = element('span', DASHES[key] ? 'dashed' : '', values ? `${name} ${bytes(values[name])}` : name);
      part.style.color = `var(${tint})`;
      line.append(part);
    });
  }

  function pane(parent, series, spec, small, span) {
    const line = element('p', 'pane-title');
    const box = element('div', small ? 'pane small' : 'pane');
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', `${spec.curves.map((c) => c[1]).join(', ')} against time`);
    parent.append(line, box);
    showLegend(line, spec, null, null);
    const perSeries = {};
    for (const [key, name] of spec.curves) {
      perSeries[name] = {strokeWidth: WIDTHS[key], ...(DASHES[key] ? {strokePattern: DASHES[key]} : {})};
    }
    const table = rows(series, spec.curves.map((c) => c[0]));
    const tints = () => spec.curves.map((c) => colour(c[2]));
    const graph = new Dygraph(box, table, {
      labels: ['s', ...spec.curves.map((c) => c[1])],
      colors: tints(),
      series: perSeries,
      stepPlot: true,
      dateWindow: span.slice(),
      includeZero: true,
      legend: 'never',
      xlabel: small ? 'seconds' : '',
      xLabelHeight: small ? 16 : 0,
      gridLineColor: colour('--line'),
      axisLineColor: colour('--soft'),
      highlightCircleSize: 3,
      axes: {
        x: {axisLabelFormatter: (s) => String(Number(s.toFixed(6))), axisLabelWidth: 60, pixelsPerLabel: 60},
        y: {axisLabelFormatter: bytes, axisLabelWidth: 58, pixelsPerLabel: 34},
      },
      underlayCallback: underlay(series, !small),
      interactionModel: {...Dygraph.defaultInteractionModel},
    });
    return {
      graph, spec, table, small,
      highest: Math.max(1, ...table.map((row) => Math.max(...row.slice(1).map((v) => v || 0)))),
      // The last row at or before `time`; -1 before the first, and after the run's end.
      rowAt(time) {
        if (time > table[table.length - 1][0]) return -1;
        let low = 0;
        let high = table.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (table[middle][0] <= time) low = middle + 1; else high = middle;
        }
        return low - 1;
      },
      point(time) {
        const row = time === null ? -1 : this.rowAt(time);
        if (row < 0) { showLegend(line, spec, null, null); return; }
        const values = {};
        spec.curves.forEach(([, name], i) => { values[name] = table[row][i + 1]; });
        showLegend(line, spec, time, values);
      },
      recolour() {
        graph.updateOptions({colors: tints(), gridLineColor: colour('--line'), axisLineColor: colour('--soft')});
      },
    };
  }

  // Draws both panes of `series` into `parent`, showing the seconds `span`; returns their handles.
  function draw(parent, series, span) {
    return [pane(parent, series, WINDOW, false, span), pane(parent, series, DELIVERY, true, span)];
  }

  return {draw, element, bytes};
})();
