package client

//go:generate go run ./bundle
