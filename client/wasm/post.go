//go:build js && wasm

package main

import "syscall/js"

// Post sends with keepalive. sendBeacon is the last resort of a page that is
// going: it hands over, but never tells what became of it.
func (b *browser) Post(path, body string, answer func(status int, token string)) {
	base := b.data.Get("endpoint")
	if !base.Truthy() {
		base = b.src
	}
	url := b.global.Get("URL").New(path, base).Get("href").String()
	failed := func() {
		if b.gone {
			guard(func() { b.global.Get("navigator").Call("sendBeacon", url, body) })
		}
		answer(0, "")
	}
	promise, err := b.fetch(url, body)
	if err {
		failed()
		return
	}
	b.then(promise, func(reply js.Value) {
		status := reply.Get("status").Int()
		if status != 201 {
			answer(status, "")
			return
		}
		b.then(reply.Call("json"), func(made js.Value) {
			answer(status, get(made, "token"))
		}, failed)
	}, failed)
}

func (b *browser) fetch(url, body string) (promise js.Value, failed bool) {
	failed = true
	guard(func() {
		promise = b.global.Call("fetch", url, map[string]any{
			"method": "POST", "body": body, "keepalive": true, "credentials": "include",
		})
		failed = false
	})
	return promise, failed
}

// then waits for a promise; exactly one of the two is called.
func (b *browser) then(promise js.Value, fine func(js.Value), failed func()) {
	var yes, no js.Func
	release := func() {
		yes.Release()
		no.Release()
	}
	yes = js.FuncOf(func(_ js.Value, args []js.Value) any {
		release()
		guard(func() { fine(args[0]) })
		return nil
	})
	no = js.FuncOf(func(js.Value, []js.Value) any {
		release()
		guard(failed)
		return nil
	})
	promise.Call("then", yes, no)
}

func get(v js.Value, key string) string { return text(v.Get(key)) }

// text is a string, and nothing for whatever is none.
func text(v js.Value) string {
	if v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}
