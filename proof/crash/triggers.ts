// Triggers that exist only in the proof's database: they hear of every try, and the server's log keeps what they say
// even when the transaction is rolled back. Every process names itself to the database, so that they know who writes.

import { asAdmin } from '../lib/admin.ts'

/** Documents whose titles begin so take their time, one nap for each step of fifty pages. */
export const SLOW = 'slow-'
const NAP_SECONDS = 0.4

const TRIGGERS = `
  create table proof_leases (lease uuid primary key, job_id uuid not null, holder text not null);
  grant select, insert on proof_leases to octavo_app, octavo_system;

  create function proof_job_changed() returns trigger language plpgsql as $$
  declare own text := current_setting('application_name');
  begin
    if new.lease is not null and new.lease is distinct from old.lease then
      insert into proof_leases (lease, job_id, holder) values (new.lease, new.id, own);
    elsif old.lease is not null and (new.place is null or new.place in ('items', 'backoff') or new.progress is distinct from old.progress)
      and not exists (select from proof_leases where lease = old.lease and holder = own) then
      raise log 'proof: zombie % % becomes %, %', own, new.id, new.status, new.progress;
    end if;
    return new;
  end $$;
  create trigger proof_job_changed before update on jobs for each row execute function proof_job_changed();

  create table proof_steps (job_id uuid not null, name text not null, lease uuid, primary key (job_id, name));
  grant select, insert, update on proof_steps to octavo_app, octavo_system;

  create function proof_step_written() returns trigger language plpgsql as $$
  declare
    own text := current_setting('application_name');
    run uuid := (select lease from jobs where tenant_id = new.tenant_id and id = new.job_id);
  begin
    -- A run that lost the answer to its commit says the same once more: that is no work done again, another run's would be.
    if exists (select from job_steps s where s.tenant_id = new.tenant_id and s.job_id = new.job_id and s.name = new.name)
      and exists (select from proof_steps p where p.job_id = new.job_id and p.name = new.name and p.lease is distinct from run) then
      raise log 'proof: step again % %', new.job_id, new.name;
    end if;
    insert into proof_steps (job_id, name, lease) values (new.job_id, new.name, run)
      on conflict (job_id, name) do update set lease = excluded.lease;
    if not exists (select from jobs j join proof_leases l on l.lease = j.lease
      where j.tenant_id = new.tenant_id and j.id = new.job_id and l.holder = own) then
      raise log 'proof: zombie % % writes %', own, new.job_id, new.name;
    end if;
    return new;
  end $$;
  create trigger proof_step_written before insert on job_steps for each row execute function proof_step_written();

  create function proof_page_written() returns trigger language plpgsql as $$
  begin
    if new.text like '${SLOW}%' and new.number % 50 = 1 then
      perform pg_sleep(${NAP_SECONDS});
    end if;
    if exists (select from pages p where p.tenant_id = new.tenant_id and p.document_id = new.document_id and p.number = new.number) then
      raise log 'proof: page again % %', new.document_id, new.number;
    end if;
    return new;
  end $$;
  create trigger proof_page_written before insert on pages for each row execute function proof_page_written();

  create table proof_gone (key text not null);
  grant insert on proof_gone to octavo_app;
  create function proof_file_gone() returns trigger language plpgsql as $$
  begin
    insert into proof_gone (key) values (old.tenant_id || '/' || old.object_id);
    return old;
  end $$;
  create trigger proof_file_gone after delete on files for each row execute function proof_file_gone();`

export const prepare = (database: string): Promise<void> =>
  asAdmin(database, async (client) => void (await client.query(TRIGGERS)))

/** Adds the process name to a database URL. */
export function signed(url: string, name: string): string {
  const own = new URL(url)
  own.searchParams.set('application_name', name)
  return own.href
}

/** Parses the messages of the triggers. */
export function readTold(log: string): { again: string[]; zombies: string[] } {
  const told = [...log.matchAll(/proof: ((?:step|page) again|zombie) (.*)$/gm)]
  const of = (isZombie: boolean): string[] =>
    told.filter(([, what]) => (what === 'zombie') === isZombie).map(([, what, rest]) => `${what} ${rest}`)
  return { again: of(false), zombies: of(true) }
}
