// What an integrator does, with the client that oapi-codegen generated. Prints one line for each story.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"story/octavo"
)

const text = "The rent is 900 a month."

var ctx = context.Background()

func main() {
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OCTAVO_API_KEY"))
		return nil
	}
	client, err := octavo.NewClientWithResponses(os.Getenv("OCTAVO_URL")+"/api/v1", octavo.WithRequestEditorFn(key))
	must(err)
	var fileId, documentId string
	tell("upload", func() error {
		var form bytes.Buffer
		writer := multipart.NewWriter(&form)
		part, err := writer.CreateFormFile("file", "lease.txt")
		must(err)
		_, err = part.Write([]byte(text))
		must(err)
		must(writer.Close())
		answer, err := client.FilesCreateWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &form)
		if err != nil || answer.JSON201 == nil {
			return failed(err, answer.Body)
		}
		fileId = answer.JSON201.Id
		return nil
	})
	tell("create", func() error {
		source := octavo.NewDocumentSource{}
		must(source.FromFileSource(octavo.FileSource{Type: "file", FileId: fileId}))
		answer, err := client.DocumentsCreateWithResponse(ctx, nil, octavo.NewDocument{Title: "Lease", Source: &source})
		if err != nil || answer.JSON201 == nil {
			return failed(err, answer.Body)
		}
		documentId = answer.JSON201.Id
		return nil
	})
	tell("wait", func() error {
		prefer := "wait=20"
		for range 6 {
			answer, err := client.DocumentsGetWithResponse(ctx, documentId, &octavo.DocumentsGetParams{Prefer: &prefer})
			if err != nil || answer.JSON200 == nil {
				return failed(err, answer.Body)
			}
			if answer.JSON200.Status == "ready" {
				return nil
			}
		}
		return fmt.Errorf("the document did not become ready")
	})
	tell("page", func() error {
		second, err := client.DocumentsCreateWithResponse(ctx, nil, octavo.NewDocument{Title: "Second"})
		must(err)
		one := 1
		seen := []string{}
		params := octavo.DocumentsListParams{Limit: &one}
		for {
			answer, err := client.DocumentsListWithResponse(ctx, &params)
			if err != nil || answer.JSON200 == nil {
				return failed(err, answer.Body)
			}
			for _, document := range answer.JSON200.Data {
				seen = append(seen, document.Id)
			}
			if !answer.JSON200.HasNextPage {
				break
			}
			params.Cursor = answer.JSON200.Cursor
		}
		if strings.Join(seen, " ") != second.JSON201.Id+" "+documentId {
			return fmt.Errorf("the list has %v", seen)
		}
		return nil
	})
	tell("download", func() error {
		answer, err := client.FilesContentsWithResponse(ctx, fileId, nil)
		if err != nil || string(answer.Body) != text {
			return failed(err, answer.Body)
		}
		link, err := client.FilesLinkWithResponse(ctx, fileId, nil)
		if err != nil || link.JSON200 == nil {
			return failed(err, link.Body)
		}
		linked, err := http.Get(link.JSON200.Url)
		must(err)
		body, err := io.ReadAll(linked.Body)
		if err != nil || string(body) != text {
			return failed(err, body)
		}
		return nil
	})
	tell("error", func() error {
		answer, err := client.DocumentsGetWithResponse(ctx, "doc_01h455vb4pex5vsknk084sn02q", nil)
		if err != nil || answer.JSONDefault == nil || answer.JSONDefault.Code != "not_found" {
			return failed(err, answer.Body)
		}
		return nil
	})
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func failed(err error, body []byte) error {
	return fmt.Errorf("%v %s", err, body)
}

func tell(name string, story func() error) {
	if err := story(); err != nil {
		fmt.Printf("FAILED %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
	fmt.Printf("PASSED %s\n", name)
}
