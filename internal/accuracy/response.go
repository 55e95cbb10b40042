package accuracy

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// About holds the fields of a [Result] that are not in the response.
type About struct {
	ResultID, Profile, ProfileHash, Target, Label string
	Created                                       time.Time
	// Corpus is what the target searches; nil if unknown.
	Corpus   *Corpus
	Question string
	// Audio is set when the question was spoken.
	Audio *Recording
	// Strategy says how documents are split, such as "recursive".
	Strategy string
	// Describe adds to the metadata what the passage does not hold, such as the
	// page; nil adds nothing.
	Describe func(p assay.Passage, m *Metadata)
}

// Recording is what is known of a spoken question.
type Recording struct {
	Filename string
	// Duration is 0 when it is not known.
	Duration time.Duration
	Language string
	// Reference is the reference transcript; nil without one.
	Reference *string
	// Keywords are those that the transcript should keep.
	Keywords []string
}

// summaryLength is the number of characters of a content summary: about two lines
// of a list.
const summaryLength = 100

// FromResponse makes a result of a response and its trace.
//
// The distance of a chunk is the target's own. Without one it is 1 − score when every score of the response is in
// −1…1: the cosine distance where scores are cosines. On other scales, such as
// that of BM25, it is 1 / (1 + score), and 1 for scores below 0. It is rounded to
// six places. Only the order is meaningful. Without scores there is no distance.
//
// The passages of a response without a trace count as retrieved and kept.
func FromResponse(a About, r *assay.Response) Result {
	b := builder{about: a, response: r, texts: map[string]string{}}
	b.divide()
	question := a.Question
	if said, ok := r.Transcript(); ok {
		question = said
	}
	out := Result{
		ResultID: a.ResultID, InputType: TextInput, Profile: a.Profile, Target: a.Target, Label: a.Label, CreatedAt: a.Created.UTC(),
		Corpus: a.Corpus,
		Input:  Input{Text: question}, ExtractedKeyQuestions: b.questions,
	}
	if a.Audio != nil {
		out.InputType = AudioInput
		out.Input.AudioFilename, out.Input.ASRLanguage, out.Input.ReferenceTranscript = a.Audio.Filename, a.Audio.Language, a.Audio.Reference
		out.Input.Keywords = a.Audio.Keywords
		if a.Audio.Duration > 0 {
			s := a.Audio.Duration.Seconds()
			out.Input.AudioDurationSeconds = &s
		}
	}
	if len(out.ExtractedKeyQuestions) == 0 {
		out.ExtractedKeyQuestions = []string{question}
	}
	b.fallback(question)

	retrieved, kept := b.lists(assay.StageRetrieve), b.lists(assay.StageFilter)
	if retrieved == nil {
		retrieved = make([][]assay.Passage, len(b.units))
		retrieved[0] = r.Passages
	}
	filters := kept != nil
	b.rated = anyScore(kept)
	if !filters {
		kept = retrieved
	}
	far := distance(retrieved)
	for i, unit := range b.units {
		found := SubQuestionChunks{SubQuestionIndex: i, SubQuestionText: unit, Chunks: []Chunk{}}
		for _, p := range retrieved[i] {
			found.Chunks = append(found.Chunks, Chunk{ChunkIndex: len(found.Chunks), Text: p.Text, Metadata: b.metadata(p), Distance: far(p)})
		}
		left := SubQuestionChunks{SubQuestionIndex: i, SubQuestionText: unit, Chunks: []Chunk{}}
		for _, p := range kept[i] {
			left.Chunks = append(left.Chunks, Chunk{ChunkIndex: len(left.Chunks), Text: p.Text, Metadata: b.scored(p)})
		}
		out.Retrieval.PerSubQuestion = append(out.Retrieval.PerSubQuestion, found)
		out.Retrieval.TotalChunksRetrieved += len(found.Chunks)
		out.Filtered.PerSubQuestion = append(out.Filtered.PerSubQuestion, left)
		out.Filtered.TotalChunksFiltered += len(left.Chunks)
	}
	out.Response = b.reply(kept)
	out.Timing = b.timing()
	out.Retrieval.RetrieverTimeMS = out.Timing.RetrieverTimeMS
	out.Filtered.FilterTimeMS = out.Timing.FilterTimeMS
	out.Response.GenerateTimeMS = out.Timing.GeneratorTimeMS
	out.Prompts = Prompts{
		DecomposePrompt: b.prompt(assay.StageDecompose), FilterPrompt: b.prompt(assay.StageFilter), GeneratePrompt: b.prompt(assay.StageGenerate),
		ProfileHash: a.ProfileHash,
		Models: Models{
			Decompose: b.model(assay.StageDecompose), Filter: b.model(assay.StageFilter),
			Generate: b.model(assay.StageGenerate), ASR: b.model(assay.StageTranscribe),
		},
	}
	return out
}

// A builder reads a response stage by stage.
type builder struct {
	about    About
	response *assay.Response
	// questions are the output of the decomposition; nil without one.
	questions []string
	// units are the questions that the stages worked on: each sub-question by
	// itself, or the whole question.
	units []string
	// rated is set if the filter reports scores.
	rated bool
	// texts are the first chunks of documents, by which others without an index differ;
	// nil if every chunk has one.
	texts map[string]string
}

// divide sets the units to the sub-questions if the stages worked on each by itself.
func (b *builder) divide() {
	b.questions, _ = b.response.SubQuestions()
	for _, s := range append(b.response.Stages(assay.StageRetrieve), b.response.Stages(assay.StageFilter)...) {
		if s.SubQuestion > 0 && s.SubQuestion <= len(b.questions) {
			b.units = b.questions
		}
	}
}

// fallback sets the units where the stages worked on the whole question.
func (b *builder) fallback(question string) {
	if b.units != nil {
		return
	}
	b.units = []string{question}
	if len(b.questions) == 1 {
		b.units = b.questions
	}
}

// of returns the unit that a stage worked on.
func (b *builder) of(s assay.Stage) int { return min(max(s.SubQuestion-1, 0), len(b.units)-1) }

// lists returns the passages that the stages of a name put out, by unit; nil when
// there is no such stage.
func (b *builder) lists(name string) [][]assay.Passage {
	if b.response.Stages(name) == nil {
		return nil
	}
	out := make([][]assay.Passage, len(b.units))
	for i, s := range b.response.Trace.Stages {
		if s.Name == name {
			out[b.of(s)] = append(out[b.of(s)], assay.Interleave([][]assay.Passage{b.response.PassagesAt(i, false)})...)
		}
	}
	return out
}

// reply returns the answer with the chunks of the prompt.
func (b *builder) reply(kept [][]assay.Passage) Reply {
	out := Reply{FinalAnswer: b.response.Answer}
	given, answers := make([][]assay.Passage, len(b.units)), make([]string, len(b.units))
	told := false
	trace := cmp.Or(b.response.Trace, &assay.Trace{})
	for i, s := range trace.Stages {
		if s.Name != assay.StageGenerate {
			continue
		}
		ps := b.response.PassagesAt(i, true)
		told = told || ps != nil
		if s.SubQuestion > 0 || len(b.units) == 1 {
			given[b.of(s)] = append(given[b.of(s)], ps...)
			if s.SubQuestion > 0 {
				answers[b.of(s)] = said(s.Output)
			}
			continue
		}
		for i := range given {
			given[i] = slices.DeleteFunc(slices.Clone(kept[i]), func(p assay.Passage) bool { return !slices.ContainsFunc(ps, p.Same) })
		}
		var sections []string
		if json.Unmarshal(s.Output, &sections) == nil && len(sections) == len(b.units) {
			answers = sections
		}
	}
	if !told {
		given = kept
	}
	for i, unit := range b.units {
		sources := []Metadata{}
		for _, p := range given[i] {
			// Passages in a prompt do not have the filter's scores.
			if j := slices.IndexFunc(kept[i], p.Same); j >= 0 {
				p.Score = kept[i][j].Score
			}
			sources = append(sources, b.scored(p))
		}
		out.SubQuestionSources = append(
			out.SubQuestionSources, SubQuestionSources{SubQuestionIndex: i, SubQuestionText: unit, Sources: sources, Answer: answers[i]},
		)
	}
	return out
}

// said reads an output that is a text, or a list of its parts.
func said(output json.RawMessage) string {
	var whole string
	if json.Unmarshal(output, &whole) == nil {
		return whole
	}
	var pieces []string
	if json.Unmarshal(output, &pieces) == nil {
		return strings.Join(pieces, " ")
	}
	return ""
}

func (b *builder) timing() Timing {
	whole := b.response.Latency
	if trace := b.response.Trace; trace != nil && trace.Latency > 0 {
		whole = trace.Latency
	}
	t := Timing{
		DecomposerTimeMS: b.took(assay.StageDecompose), RetrieverTimeMS: b.took(assay.StageRetrieve),
		FilterTimeMS: b.took(assay.StageFilter), GeneratorTimeMS: b.took(assay.StageGenerate), TotalTimeMS: whole.Milliseconds(),
	}
	if b.response.Stages(assay.StageTranscribe) != nil {
		ms := b.took(assay.StageTranscribe)
		t.ASRTimeMS = &ms
	}
	return t
}

// took returns the time for which a stage was at work: stages whose start is known count
// once while they ran at the same time, others one after the other.
func (b *builder) took(name string) int64 {
	var d, end time.Duration
	var timed []assay.Stage
	for _, s := range b.response.Stages(name) {
		if s.Start == nil {
			d += s.Latency
		} else {
			timed = append(timed, s)
		}
	}
	slices.SortFunc(timed, func(a, b assay.Stage) int { return cmp.Compare(*a.Start, *b.Start) })
	for i, s := range timed {
		if i == 0 || *s.Start > end {
			end = *s.Start
		}
		if until := *s.Start + s.Latency; until > end {
			d += until - end
			end = until
		}
	}
	return d.Milliseconds()
}

// prompt joins the different prompts of all stages of a name.
func (b *builder) prompt(name string) string {
	var all []string
	for _, s := range b.response.Stages(name) {
		if s.Prompt != "" && !slices.Contains(all, s.Prompt) {
			all = append(all, s.Prompt)
		}
	}
	return strings.Join(all, "\n\n")
}

func (b *builder) model(name string) string {
	for _, s := range b.response.Stages(name) {
		if s.Model != "" {
			return s.Model
		}
	}
	return ""
}

func (b *builder) metadata(p assay.Passage) Metadata {
	m := Metadata{
		Filename: p.Source, ContentSummary: text.Shorten(text.Collapse(p.Text), summaryLength), ChunkIndex: p.Index,
		DocumentID: p.Document, StrategyType: b.about.Strategy, ChunkID: p.ID, Title: p.Title,
	}
	// A passage without a document is a document of its own.
	m.DocumentID = cmp.Or(m.DocumentID, p.ID, p.Source)
	m.Filename = cmp.Or(m.Filename, m.DocumentID)
	if p.Index == 0 && p.Text != "" { // the index may be unknown, and the document not told
		first, known := b.texts[m.DocumentID]
		if known && first != p.Text || m.DocumentID == "" {
			m.DocumentID += fmt.Sprintf("#%.4x", sha256.Sum256([]byte(p.Text)))
		} else if b.texts != nil {
			b.texts[m.DocumentID] = p.Text
		}
	}
	if d := p.Details; d != nil {
		m.UploadDate, m.ChunkFilePath = d.Uploaded, d.File
		m.ContentSummary, m.StrategyType = cmp.Or(d.Summary, m.ContentSummary), cmp.Or(d.Strategy, m.StrategyType)
		if d.Page > 0 {
			m.PageNumber = &d.Page
		}
	}
	if b.about.Describe != nil {
		b.about.Describe(p, &m)
	}
	return m
}

// scored is the metadata with the filter's score, if there is one.
func (b *builder) scored(p assay.Passage) Metadata {
	m := b.metadata(p)
	if b.rated {
		m.RelevanceScore = &p.Score
	}
	return m
}

// distance returns the function from a passage to its distance, for all lists.
func distance(lists [][]assay.Passage) func(p assay.Passage) *float64 {
	scored, wide := anyScore(lists), false
	for _, p := range slices.Concat(lists...) {
		wide = wide || p.Score < -1 || p.Score > 1
	}
	return func(p assay.Passage) *float64 {
		d := 1 - p.Score
		switch {
		case p.Details != nil && p.Details.Distance != nil:
			return p.Details.Distance
		case !scored:
			return nil
		case wide:
			d = 1 / (1 + max(p.Score, 0))
		}
		d = math.Round(d*1e6) / 1e6
		return &d
	}
}

// anyScore reports whether a passage has a score.
func anyScore(lists [][]assay.Passage) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(p assay.Passage) bool { return p.Score != 0 })
}
