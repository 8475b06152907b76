-- The trace context of the request that created the job: a worker continues its trace.
alter table jobs add column traceparent text;
