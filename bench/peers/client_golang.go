package main

import (
	"bytes"
	"io"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Its handler, which compresses at Go's default level (6). The series are held, which is its cheapest way to set values.
func clientGolang() peer {
	registry := prometheus.NewRegistry()
	var setters []func(float64)
	for family := range families {
		vec := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: nameOf(family), Help: helpOf(family)}, []string{"node", "network", "chain"})
		registry.MustRegister(vec)
		for target := range targets {
			for _, chain := range chains {
				setters = append(setters, vec.WithLabelValues(targetOf(target), "mainnet", chain).Set)
			}
		}
	}
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return peer{setters, func(w io.Writer) error {
		request, err := http.NewRequest(http.MethodGet, "/metrics", http.NoBody)
		if err != nil {
			return err
		}
		request.Header.Set("Accept-Encoding", "gzip")
		var reply reply
		handler.ServeHTTP(&reply, request)
		_, err = reply.WriteTo(w)
		return err
	}}
}

// A response without a socket.
type reply struct {
	bytes.Buffer
	header http.Header
}

func (r *reply) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}

func (r *reply) WriteHeader(int) {}
