package crash

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// patience is longer than a service may take to answer or to refuse.
const patience = 30 * time.Second

// answer is what a request came back with; a status of 0 says that nothing came back.
type answer struct {
	status     int
	retryAfter string
	key        string // the visitor key that was set, empty if none
}

// post sends a body as the client does. Its error is of the network's.
func post(client *http.Client, url, key string, body any) (answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		return answer{}, err
	}
	request.GetBody = nil // it must not be sent twice behind our back
	request.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	if key != "" {
		request.Header.Set("Cookie", "bwlai_vk="+key)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	got := answer{status: response.StatusCode, retryAfter: response.Header.Get("Retry-After")}
	for _, cookie := range response.Cookies() {
		got.key = cookie.Value
	}
	return got, errors.Join(err, response.Body.Close())
}

// ask reads from the private interface.
func (s *Service) ask(method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, s.Admin+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	client := http.Client{Timeout: patience}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode == http.StatusNotFound {
		return errNobody
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return json.Unmarshal(text, into)
}

var errNobody = errors.New("there is no such lead")

// kept is what the owners are shown of one person.
type kept struct{ events, submissions []string }

// keptOf reads everything that is stored of an address, page by page.
func (s *Service) keptOf(email string) (found kept, err error) {
	var who struct{ Lead struct{ ID string } }
	if err := s.ask(http.MethodPost, "/v1/leads/find", map[string]string{"email": email}, &who); err != nil {
		return found, err
	}
	path := "/v1/leads/" + who.Lead.ID
	for after := ""; ; {
		var page struct {
			Events []struct {
				ID string `json:"event_id"`
			}
			Next string
		}
		if err := s.ask(http.MethodGet, path+"/journey?limit=1000&after="+after, nil, &page); err != nil {
			return found, err
		}
		for _, e := range page.Events {
			found.events = append(found.events, e.ID)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	var all struct{ Submissions []struct{ ID string } }
	if err := s.ask(http.MethodGet, path+"/submissions", nil, &all); err != nil {
		return found, err
	}
	for _, submission := range all.Submissions {
		found.submissions = append(found.submissions, submission.ID)
	}
	slices.Sort(found.events)
	slices.Sort(found.submissions)
	return found, nil
}
