// How the search of the site orders what it finds: a section whose title has the words comes
// before a page that has them somewhere, the first ten minutes before guides, and these before
// results and decisions.
var Scorer = {
  score: ([docname, , , , score, , kind]) => {
    if (kind === SearchResultKind.title) score += 20;
    if (docname.startsWith("start/")) score += 3;
    return /^(results|adr)\//.test(docname) ? score / 3 : score;
  },
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {},
  objPrioDefault: 0,
};
