// The peers of the scrape benchmark that are written in Go. Started by ../scrape.ts like ../contender.ts, which has the same
// series: for each line of input, a turn, it sets 30 % of the values, scrapes with gzip and prints the CPU time of the process so
// far in milliseconds. At the end of the input it writes its last scrape to the file.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"syscall"
)

const (
	families = 25
	targets  = 1000
)

var (
	chains = []string{"C", "P", "X", "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5"}
	parts  = []string{"accepted", "height", "processing", "uptime", "stake", "connected", "budget", "latency", "peers", "weight"}
)

// A peer holds all series; setters are in the order of families, targets and chains.
type peer struct {
	setters []func(float64)
	scrape  func(io.Writer) error
}

func main() {
	p := map[string]func() peer{
		"client_golang":        clientGolang,
		"victoriametrics":      victoriaMetrics,
		"victoriametrics-fast": victoriaMetricsFast,
	}[os.Args[1]]()
	p.setAll(0, func(int, int) bool { return true })
	var last bytes.Buffer
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		turn, err := strconv.Atoi(input.Text())
		check(err)
		p.setAll(turn, func(family, target int) bool { return (family*7+target*3+turn*3)%10 < 3 })
		last.Reset()
		check(p.scrape(&last))
		fmt.Println(cpuMs())
	}
	check(os.WriteFile(os.Args[2], last.Bytes(), 0o600))
}

func (p peer) setAll(turn int, changes func(family, target int) bool) {
	for family := range families {
		for target := range targets {
			if !changes(family, target) {
				continue
			}
			for chain := range chains {
				p.setters[(family*targets+target)*len(chains)+chain](valueOf(family, target, chain, turn))
			}
		}
	}
}

func nameOf(family int) string {
	unit := "ratio"
	if family%3 == 0 {
		unit = "seconds"
	}
	return fmt.Sprintf("avax_chain_measure_%s_%d_%s", parts[family%len(parts)], family, unit)
}

func helpOf(family int) string {
	return fmt.Sprintf("What the node says about %s %d of this chain (info.%s).", parts[family%len(parts)], family, parts[family*7%len(parts)])
}

func targetOf(target int) string {
	return fmt.Sprintf("validator-%04d", target)
}

func valueOf(family, target, chain, turn int) float64 {
	seed := (family*7919 + target*104729 + chain*1299709 + turn*15485863) % 1000003
	switch family % 4 {
	case 0:
		return float64(61_000_000 + seed%5000)
	case 1:
		return float64(seed) / 1000003
	case 2:
		return float64(seed % 2)
	default:
		return 1_750_000_000 + float64(seed%86400)/1000
	}
}

// CPU time of all threads since the start, milliseconds.
func cpuMs() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
