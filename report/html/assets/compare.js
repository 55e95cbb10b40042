// The comparison of runs: the columns of a metric and a run, and who won which
// case. The largest changes come first, whichever way they go.
start(table, () => {
  const run = $("run").value, metric = $("metric").value, outcome = $("outcome").value;
  const before = `value-0-${metric}`, after = `value-${run}-${metric}`, gain = `gain-${run}-${metric}`;
  const outcomeOf = (row) => {
    const value = table.value(row, gain);
    return value === null ? "unpaired" : value > 0 ? "better" : value < 0 ? "worse" : "same";
  };
  table.query = $("search").value;
  table.hidden = (id) => id.includes("-") && ![before, after, gain].includes(id);
  table.chosen = gain;
  table.sort = null;
  table.keep = (row) => {
    const is = outcomeOf(row);
    return !outcome || is === outcome || outcome === "missed" && row.dataset.is.split(" ").includes("missed") ||
      outcome === "changed" && (is === "better" || is === "worse");
  };
  const size = new Map(table.rows.map((row) => [row, Math.abs(table.value(row, gain) ?? -1)]));
  table.order = (a, b) => size.get(b) - size.get(a);
  table.update();
});
detail.fromAddress();
