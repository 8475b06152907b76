-- Statements of one round trip cannot depend on each other's results. One that found something else than it assumed
-- raises, so that PostgreSQL skips the rest, also the commit. The message is for the log of PostgreSQL.
create function app_refuse(reason text) returns boolean language plpgsql as $$
begin
  raise exception '%; the transaction is repeated in single steps', reason using errcode = 'OC002';
end $$;
