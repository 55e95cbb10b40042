// The comparison of runs: the columns of a metric and a run, and who won which
// case. The largest changes come first, whichever way they go.
start(table, () => {
  const run = $("run").value, metric = $("metric").value, outcome = $("outcome").value;
  const ofChoice = (th) => (th.dataset.metric ?? metric) === metric && ["0", run].includes(th.dataset.group ?? run);
  const gain = table.head.find((th) => th.classList.contains("m") && th.dataset.group && ofChoice(th)).dataset.id;
  const outcomeOf = (row) => {
    const value = table.value(row, gain);
    return value === null ? "unpaired" : value > 0 ? "better" : value < 0 ? "worse" : "same";
  };
  table.query = $("search").value;
  table.hidden = (th) => !ofChoice(th);
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
