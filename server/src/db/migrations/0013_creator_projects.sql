-- The projects that the creator of a job could see; null: the whole tenant. The job sees no others. Jobs from before this
-- column keep null and run as they were accepted.
alter table jobs add column creator_project_ids uuid[];
