CREATE TABLE definitions (hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT,
    dialect TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    definition TEXT NOT NULL REFERENCES definitions (hash),
    owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0
  );
CREATE INDEX runs_by_status ON runs (status, started_at);
CREATE INDEX runs_by_time ON runs (started_at);
CREATE INDEX runs_by_definition ON runs (definition);
CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
CREATE TABLE documents (
    collection TEXT NOT NULL,
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  );
CREATE INDEX documents_by_collection ON documents (collection);
INSERT INTO definitions (hash, body) VALUES ('721c57ba565b5af99eae1b2f96a0ed8ca3824c3f5c453109360343afc7787f1f', '{"plan":[{"id":"a","tool":"give"},{"id":"b","tool":"fail","dependencies":["a"]}],"agents":{},"files":{},"environment":{}}');
INSERT INTO definitions (hash, body) VALUES ('99d7022552fca36ae0bc64e3b0730308a5871f9a298cf18fad234a366ff99b1c', '{"plan":[{"id":"a","tool":"give"},{"id":"b","tool":"give","dependencies":["a"]}],"agents":{},"files":{},"environment":{}}');
INSERT INTO definitions (hash, body) VALUES ('d10333c80cc4c409445d2bf3ec79cf2b73f6d9eb63987aff751263e76b8ecf78', '{"plan":[{"id":"a","tool":"give","arguments":{"x":"{{PLACEHOLDER_x}}"}}],"agents":{},"files":{},"environment":{}}');
INSERT INTO runs (key, id, name, dialect, status, started_at, finished_at, definition, owner, lease_until) VALUES (1, 'done', NULL, 'actions', 'completed', 1794786841759, 1794786841806, '99d7022552fca36ae0bc64e3b0730308a5871f9a298cf18fad234a366ff99b1c', NULL, 0);
INSERT INTO runs (key, id, name, dialect, status, started_at, finished_at, definition, owner, lease_until) VALUES (2, 'failed', NULL, 'actions', 'failed', 1794786841830, 1794786841857, '721c57ba565b5af99eae1b2f96a0ed8ca3824c3f5c453109360343afc7787f1f', NULL, 0);
INSERT INTO runs (key, id, name, dialect, status, started_at, finished_at, definition, owner, lease_until) VALUES (3, 'waiting', NULL, 'actions', 'waiting', 1794786841863, NULL, 'd10333c80cc4c409445d2bf3ec79cf2b73f6d9eb63987aff751263e76b8ecf78', NULL, 0);
INSERT INTO runs (key, id, name, dialect, status, started_at, finished_at, definition, owner, lease_until) VALUES (4, 'middle', NULL, 'actions', 'running', 1000, NULL, '99d7022552fca36ae0bc64e3b0730308a5871f9a298cf18fad234a366ff99b1c', NULL, 0);
INSERT INTO events (run, seq, body) VALUES (1, 0, '{"kind":"RunStarted","at":1794786841759,"journal":1,"runId":"done","seed":539777371,"arguments":{},"inputs":{},"context":{},"mode":"stop","limits":{"concurrency":64,"depth":64,"items":null}}');
INSERT INTO events (run, seq, body) VALUES (1, 1, '{"kind":"StepSucceeded","at":1794786841799,"call":0,"attempt":1,"result":1}');
INSERT INTO events (run, seq, body) VALUES (1, 2, '{"kind":"StepSucceeded","at":1794786841806,"call":1,"attempt":1,"result":1}');
INSERT INTO events (run, seq, body) VALUES (2, 0, '{"kind":"RunStarted","at":1794786841830,"journal":1,"runId":"failed","seed":500805780,"arguments":{},"inputs":{},"context":{},"mode":"stop","limits":{"concurrency":64,"depth":64,"items":null}}');
INSERT INTO events (run, seq, body) VALUES (2, 1, '{"kind":"StepSucceeded","at":1794786841854,"call":0,"attempt":1,"result":1}');
INSERT INTO events (run, seq, body) VALUES (2, 2, '{"kind":"StepFailed","at":1794786841857,"call":1,"attempt":1,"error":{"name":"ToolError","code":"BROKEN","message":"it broke","retryable":true}}');
INSERT INTO events (run, seq, body) VALUES (3, 0, '{"kind":"RunStarted","at":1794786841863,"journal":1,"runId":"waiting","seed":2950305439,"arguments":{},"inputs":{},"context":{},"mode":"stop","limits":{"concurrency":64,"depth":64,"items":null}}');
INSERT INTO events (run, seq, body) VALUES (4, 0, '{"kind":"RunStarted","at":1000,"journal":1,"runId":"middle","seed":7,"arguments":{},"inputs":{},"context":{},"mode":"stop","limits":{"concurrency":64,"depth":64}}');
INSERT INTO events (run, seq, body) VALUES (4, 1, '{"kind":"StepSucceeded","at":2000,"call":0,"attempt":1,"result":"result 0"}');
PRAGMA user_version = 1;
