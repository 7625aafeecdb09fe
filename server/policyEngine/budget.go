package main

import (
	"fmt"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/topdown/print"
)

// limits bound one evaluation. Steps are counted by OPA's own cancellation
// checks, so a policy is always stopped at the same point.
type limits struct {
	MaxSteps     uint64 `json:"maxSteps"`     // 0: 2 million
	Milliseconds int64  `json:"milliseconds"` // 0: no limit on time
}

// budget implements OPA's cancellation interface by counting. WebAssembly has
// one thread, so a timer could never interrupt an evaluation; OPA calls
// Cancelled at every expression, which also checks the time.
type budget struct {
	steps, max uint64
	deadline   time.Time
	reason     string
}

// cancelled is called from time to time to see whether the host has cancelled the evaluation.
var cancelled = func() bool { return false }

const defaultMaxSteps = 2_000_000

func newBudget(l limits) *budget {
	b := &budget{max: l.MaxSteps}
	if b.max == 0 {
		b.max = defaultMaxSteps
	}
	if l.Milliseconds > 0 {
		b.deadline = time.Now().Add(time.Duration(l.Milliseconds) * time.Millisecond)
	}
	return b
}

func (b *budget) Cancel() { b.reason = "cancelled" }

func (b *budget) Cancelled() bool {
	b.steps++
	switch {
	case b.reason != "":
	case b.steps > b.max:
		b.reason = fmt.Sprintf("the policy took more than %d steps", b.max)
	case b.steps&1023 != 0:
	case cancelled():
		b.reason = "the evaluation was cancelled"
	case !b.deadline.IsZero() && time.Now().After(b.deadline):
		b.reason = "the policy took longer than its limit of time"
	}
	return b.reason != ""
}

func (b *budget) explain(err error) error {
	if topdown.IsCancel(err) && b.reason != "" {
		return &topdown.Error{Code: topdown.CancelErr, Message: b.reason}
	}
	return err
}

type printCollector struct{ lines []string }

func (c *printCollector) Print(pctx print.Context, message string) error {
	if len(c.lines) < 1000 {
		c.lines = append(c.lines, bounded(fmt.Sprintf("%v: %s", pctx.Location, message)))
	}
	return nil
}

// seed is a small deterministic stream (SplitMix64) for rand.intn and uuid.rfc4122.
type seed struct{ state uint64 }

func newSeed(start int64) *seed { return &seed{state: uint64(start)} }

func (s *seed) Read(p []byte) (int, error) {
	for i := range p {
		s.state += 0x9e3779b97f4a7c15
		z := s.state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		p[i] = byte(z ^ z>>31)
	}
	return len(p), nil
}
