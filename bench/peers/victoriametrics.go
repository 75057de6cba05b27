package main

import (
	stdgzip "compress/gzip"
	"fmt"
	"io"

	"github.com/VictoriaMetrics/metrics"
	"github.com/klauspost/compress/gzip"
)

type zipper interface {
	io.WriteCloser
	Reset(io.Writer)
}

// The library does not compress. This is Go's own gzip at its default level (6).
func victoriaMetrics() peer {
	return victoriaMetricsWith(stdgzip.NewWriter(nil))
}

// As VictoriaMetrics's programs compress: level 1 of klauspost/compress.
func victoriaMetricsFast() peer {
	zipped, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	check(err)
	return victoriaMetricsWith(zipped)
}

// The series are held, which is the cheapest way to set values.
func victoriaMetricsWith(zipped zipper) peer {
	set := metrics.NewSet()
	var setters []func(float64)
	for family := range families {
		for target := range targets {
			for _, chain := range chains {
				name := fmt.Sprintf(`%s{node=%q,network="mainnet",chain=%q}`, nameOf(family), targetOf(target), chain)
				setters = append(setters, set.NewGauge(name, nil).Set)
			}
		}
	}
	return peer{setters, func(w io.Writer) error {
		zipped.Reset(w)
		set.WritePrometheus(zipped)
		return zipped.Close()
	}}
}
