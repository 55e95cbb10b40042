// The report of one run: by what its cases are chosen. On a narrow page only
// the chosen metric has a column.
const scores = table.head.filter((th) => th.classList.contains("m"));
const metrics = scores.map((th) => th.dataset.id), leading = scores.find((th) => !("folded" in th.dataset))?.dataset.id;

start(table, () => {
  const of = (id) => $(id)?.value ?? "";
  const status = of("status"), tag = of("tag"), metric = of("metric"), below = of("below");
  const limited = metric === "" ? metrics : [metric];
  table.query = of("search");
  table.keep = (row) => {
    const is = row.dataset.is.split(" ");
    if (status && !is.includes(status) || tag && !is.includes(tag)) return false;
    // A case that the target failed is below every limit.
    return below === "" || limited.some((id) => {
      const value = table.value(row, id);
      return value === null ? table.cell(row, id).classList.contains("bad") : value < Number(below);
    });
  };
  table.order = of("order") === "low" ? null : (a, b) => a.dataset.place - b.dataset.place;
  table.chosen = metric || leading;
  table.update();
});
detail.fromAddress();
