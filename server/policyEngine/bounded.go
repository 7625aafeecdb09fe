package main

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// What a policy returns is bounded before it leaves the engine, so that no
// client has to handle megabytes.
const (
	maxMessage  = 4 << 10  // bytes of one message
	maxDetails  = 64 << 10 // bytes of what comes with one message, as JSON
	maxFindings = 500      // of one rule for one object
)

func bounded(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	end := maxMessage
	for end > 0 && !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + "…"
}

// boundedDetails drops details that are too long as a whole.
func boundedDetails(details map[string]any) map[string]any {
	if text, err := json.Marshal(details); err != nil || len(text) > maxDetails {
		return nil
	}
	return details
}

// boundedList returns the first elements of a list, and a sentence for the rest.
func boundedList[T any](list []T) ([]T, string) {
	if len(list) <= maxFindings {
		return list, ""
	}
	return list[:maxFindings], fmt.Sprintf("… and %d more", len(list)-maxFindings)
}
