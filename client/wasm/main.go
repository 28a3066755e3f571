//go:build js && wasm

package main

import (
	"syscall/js"

	"continuity/client/capture"
)

func main() {
	global := js.Global()
	b := &browser{
		global:   global,
		document: global.Get("document"),
		reflect:  global.Get("Reflect"),
		api:      global.Get("continuity"),
	}
	boot := b.api.Get("boot")
	b.src, b.data = boot.Get("src"), boot.Get("dataset")
	b.hook = b.api.Get("allowed")
	p := &page{browser: b, client: capture.New(b)}
	p.install()
	boot.Call("take", js.FuncOf(func(_ js.Value, args []js.Value) any {
		guard(func() { p.handle(args) })
		return nil
	}))
	guard(p.client.Start)
	select {}
}

// guard keeps a failure from ending the program.
func guard(f func()) {
	defer func() { _ = recover() }()
	f()
}
