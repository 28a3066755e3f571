//go:build js && wasm

package main

import (
	"syscall/js"

	"continuity/client/capture"
)

// browser is the environment that the behaviour asks.
type browser struct {
	global, document, reflect, api js.Value
	src, data                      js.Value
	hook                           js.Value
	gone                           bool // between pagehide and pageshow
}

var _ capture.Env = (*browser)(nil)

func (b *browser) Now() int64 {
	return int64(b.global.Get("Date").Call("now").Float())
}

// NewID writes "_" for "-" too, as capture.js does.
func (b *browser) NewID() string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789__"
	random := b.global.Get("Uint8Array").New(16)
	b.global.Get("crypto").Call("getRandomValues", random)
	var raw [18]byte
	js.CopyBytesToGo(raw[:16], random)
	id := make([]byte, 0, 24)
	for i := 0; i < len(raw); i += 3 {
		n := uint(raw[i])<<16 | uint(raw[i+1])<<8 | uint(raw[i+2])
		id = append(id, alphabet[n>>18], alphabet[n>>12&63], alphabet[n>>6&63], alphabet[n&63])
	}
	return string(id[:22])
}

func (b *browser) Local() capture.Area { return area{b, "localStorage"} }
func (b *browser) Tab() capture.Area   { return area{b, "sessionStorage"} }

func (b *browser) Page() capture.Page {
	return capture.Page{
		URL:      b.global.Get("location").Get("href").String(),
		Title:    b.document.Get("title").String(),
		Referrer: b.document.Get("referrer").String(),
	}
}

func (b *browser) After(ms int, f func()) {
	b.global.Call("setTimeout", b.once(func([]js.Value) { f() }), ms)
}

// once is a callback that lives until it is called.
func (b *browser) once(f func(args []js.Value)) js.Func {
	var callback js.Func
	callback = js.FuncOf(func(_ js.Value, args []js.Value) any {
		callback.Release()
		guard(func() { f(args) })
		return nil
	})
	return callback
}

// Allowed asks the hook: a function, a promise or a value. One that throws has
// not agreed.
func (b *browser) Allowed(answer func(bool)) {
	says := b.hook
	switch says.Type() {
	case js.TypeFunction:
		says = says.Invoke()
	case js.TypeUndefined, js.TypeNull:
		says = js.ValueOf(true)
	}
	if says.Type() != js.TypeObject || says.Get("then").Type() != js.TypeFunction {
		answer(says.Truthy())
		return
	}
	var yes, no js.Func
	settle := func(decide func(args []js.Value) bool) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			yes.Release()
			no.Release()
			guard(func() { answer(decide(args)) })
			return nil
		})
	}
	yes = settle(func(args []js.Value) bool { return len(args) > 0 && args[0].Truthy() })
	no = settle(func([]js.Value) bool { return false })
	says.Call("then", yes, no)
}

// area is a storage of the browser, which may throw at every touch.
type area struct {
	*browser
	name string
}

func (a area) storage() js.Value { return a.reflect.Call("get", a.global, a.name) }

func (a area) Get(key string) (value string) {
	guard(func() {
		if v := a.storage().Call("getItem", key); v.Type() == js.TypeString {
			value = v.String()
		}
	})
	return value
}

func (a area) Set(key, value string) (stored bool) {
	guard(func() {
		a.storage().Call("setItem", key, value)
		stored = true
	})
	return stored
}

func (a area) Remove(key string) {
	guard(func() { a.storage().Call("removeItem", key) })
}

func (a area) Keys() (keys []string) {
	guard(func() {
		names := a.global.Get("Object").Call("keys", a.storage())
		for i := range names.Length() {
			keys = append(keys, names.Index(i).String())
		}
	})
	return keys
}
