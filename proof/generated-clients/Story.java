// What an integrator does, with the client that openapi-generator generated. Prints one line for each story.
import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import octavo.ApiClient;
import octavo.ApiException;
import octavo.api.DocumentsApi;
import octavo.api.FilesApi;
import octavo.model.Document;
import octavo.model.DocumentList;
import octavo.model.ErrorResponse;
import octavo.model.FileLink;
import octavo.model.FileSource;
import octavo.model.ModelFile;
import octavo.model.NewDocument;
import octavo.model.NewDocumentSource;

public class Story {
    static final String TEXT = "The rent is 900 a month.";
    static final int TIMEOUT_MS = 60_000;

    interface Step<T> {
        T run() throws Exception;
    }

    public static void main(String[] args) {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("OCTAVO_URL") + "/api/v1");
        client.setBearerToken(System.getenv("OCTAVO_API_KEY"));
        client.setReadTimeout(TIMEOUT_MS);
        FilesApi files = new FilesApi(client);
        DocumentsApi documents = new DocumentsApi(client);

        ModelFile file = tell("upload", () -> {
            Path path = Files.createTempDirectory("octavo-story").resolve("lease.txt");
            Files.writeString(path, TEXT);
            ModelFile created = files.filesCreate(path.toFile(), null, null);
            check(created.getSizeBytes() == TEXT.length(), created);
            return created;
        });
        Document document = tell("create", () -> {
            FileSource source = new FileSource().type(FileSource.TypeEnum.FILE).fileId(file.getId());
            NewDocument request = new NewDocument().title("Lease").source(new NewDocumentSource(source));
            return documents.documentsCreate(request, null, null);
        });
        tell("wait", () -> {
            Document current = document;
            for (int tries = 0; tries < 6 && isProcessing(current); tries++)
                current = documents.documentsGet(document.getId(), null, null, "wait=20");
            check(Objects.toString(current.getStatus()).equals("ready"), current);
            return current;
        });
        tell("page", () -> {
            NewDocument request = new NewDocument().title("Second").putMetadataItem("kind", "note");
            Document second = documents.documentsCreate(request, null, null);
            List<String> seen = new ArrayList<>();
            String cursor = null;
            DocumentList page;
            do {
                page = list(documents, cursor, null);
                for (Document one : page.getData()) seen.add(one.getId());
                cursor = page.getCursor();
            } while (page.getHasNextPage());
            check(seen.equals(List.of(second.getId(), document.getId())), seen);
            // The client sends the entries of a filter as parameters, without the filter's name.
            List<Document> notes = list(documents, null, Map.of("metadata[kind]", "note")).getData();
            check(notes.size() == 1 && notes.get(0).getId().equals(second.getId()), notes);
            return seen;
        });
        tell("download", () -> {
            File bytes = files.filesContents(file.getId(), null, null);
            check(Files.readString(bytes.toPath()).equals(TEXT), bytes);
            FileLink link = files.filesLink(file.getId(), null, null);
            try (InputStream stream = new URL(link.getUrl()).openStream()) {
                check(new String(stream.readAllBytes()).equals(TEXT), link);
            }
            return link;
        });
        tell("error", () -> {
            try {
                documents.documentsGet("doc_01h455vb4pex5vsknk084sn02q", null, null, null);
            } catch (ApiException error) {
                ErrorResponse response = ErrorResponse.fromJson(error.getResponseBody());
                check(error.getCode() == 404 && Objects.toString(response.getCode()).equals("not_found"), response);
                return response;
            }
            throw new AssertionError("a document that does not exist was found");
        });
        System.exit(0);
    }

    static boolean isProcessing(Document document) {
        return Objects.toString(document.getStatus()).equals("processing");
    }

    static DocumentList list(DocumentsApi documents, String cursor, Map<String, String> metadata) throws ApiException {
        return documents.documentsList(
            cursor, 1, null, null, null, null, null, null, null, null, metadata, null, null, null, null);
    }

    static void check(boolean isRight, Object what) {
        if (!isRight) throw new AssertionError(what);
    }

    static <T> T tell(String name, Step<T> step) {
        try {
            T result = step.run();
            System.out.println("PASSED " + name);
            return result;
        } catch (Throwable error) {
            System.out.println("FAILED " + name + ": " + error.toString().replace("\n", " "));
            System.exit(1);
            return null;
        }
    }
}
