package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"continuity/domain/identity"
)

// device is a returning browser, of the person whose address its number makes.
type device struct{ key identity.Key }

func emailOf(number int) string { return fmt.Sprintf("device-%09d@example.org", number) }

// What stands in a request until it is sent; each is as long as what takes its place.
const (
	idMark    = "@@@@@@@@@@@@@@@@@@@@@@"
	keyMark   = "kkkkkkkkkkkkkkkkkkkkkk"
	timeMark  = "1111111111111"
	emailMark = "device-#########@example.org"
)

const eventsOfBeacon = 3

// template is a request made beforehand, with the places that change.
type template struct {
	text                     []byte
	ids, times, emails, keys []int
}

func newTemplate(path, head string, reconnect bool) *template {
	events := make([]string, eventsOfBeacon)
	for i := range events {
		// With a session of 22 bytes and an id of 16 this is about 190 bytes to keep.
		events[i] = `{"id":"` + idMark + `","at":` + timeMark + `,"kind":"page_view","url":"https://www.example.org/trees/old-town/linden-` +
			strconv.Itoa(100+i) + `?tab=history","title":"Linden, Main Square: trees","referrer":"https://www.example.org/trees/old-town","props":{"place":"list","position":` +
			strconv.Itoa(10+i) + `}}`
	}
	body := `{` + head + `"sent_at":` + timeMark + `,"session":"` + idMark + `","events":[` + strings.Join(events, ",") + `]}`
	connection := ""
	if reconnect {
		connection = "Connection: close\r\n"
	}
	text := "POST " + path + " HTTP/1.1\r\nHost: www.example.org\r\n" + connection +
		"Origin: https://www.example.org\r\nSec-Fetch-Site: same-origin\r\nContent-Type: text/plain;charset=UTF-8\r\n" +
		"Cookie: bwlai_vk=" + keyMark + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	t := &template{text: []byte(text)}
	for mark, places := range map[string]*[]int{idMark: &t.ids, timeMark: &t.times, emailMark: &t.emails, keyMark: &t.keys} {
		*places = placesOf(t.text, mark)
	}
	return t
}

func placesOf(text []byte, mark string) (places []int) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(mark))
		if i < 0 {
			return places
		}
		places = append(places, at+i)
		at += i + len(mark)
	}
}

// writer makes the requests of one connection, in place.
type writer struct {
	beacon, submission *template
	traffic
	random *rand.Rand
}

func newWriter(t traffic, reconnect bool) *writer {
	return &writer{
		traffic: t, random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		beacon: newTemplate("/v1/append", "", reconnect),
		submission: newTemplate("/v1/submissions", `"id":"`+idMark+`","form":"contact","identity":{"email":"`+emailMark+
			`","name":"Ana"},"fields":{"message":"Is the linden still there?"},`, reconnect),
	}
}

// next is the next request, good until the one after it is made.
func (w *writer) next() []byte {
	t := w.beacon
	if w.submissions > 0 && w.random.Float64() < w.submissions {
		t = w.submission
	}
	for _, at := range t.ids {
		var id [16]byte
		binary.LittleEndian.PutUint64(id[:8], w.random.Uint64())
		binary.LittleEndian.PutUint64(id[8:], w.random.Uint64())
		base64.RawURLEncoding.Encode(t.text[at:at+len(idMark)], id[:])
	}
	var now [len(timeMark)]byte
	strconv.AppendInt(now[:0], time.Now().UnixMilli(), 10)
	for _, at := range t.times {
		copy(t.text[at:], now[:])
	}
	number := w.random.IntN(len(w.devices))
	for _, at := range t.keys {
		base64.RawURLEncoding.Encode(t.text[at:at+len(keyMark)], w.devices[number].key[:])
	}
	for _, at := range t.emails {
		copy(t.text[at:], emailOf(number))
	}
	return t.text
}
