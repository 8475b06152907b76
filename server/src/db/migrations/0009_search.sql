-- No release has these tables yet, so there are no rows that locks or scans would hold up.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, adding-required-field, prefer-bigint-over-smallint

-- What a text is found by: a number for each of its lexemes, in ascending order, and how often each one occurs. The tenant
-- is a part of the number: what is found in an index depends on the tenant's own rows and on nobody else's.
create function chunk_terms(tenant uuid, config text, words text, out terms bigint[], out frequencies smallint[])
  language sql immutable parallel safe as $$
  select coalesce(array_agg(term order by term), '{}'), coalesce(array_agg(frequency order by term), '{}') from (
    select hashtextextended(lexeme, hashtextextended(tenant::text, 0)) as term, cardinality(positions)::smallint as frequency
    from unnest(to_tsvector(config::regconfig, words))
  ) as counted
$$;

alter table chunks
  -- The text search configuration that its words were reduced with.
  add column config text not null default 'simple',
  add column terms bigint[] not null default '{}',
  add column frequencies smallint[] not null default '{}',
  -- Of the words that count.
  add column word_count bigint not null default 0;
create unique index chunks_id on chunks (tenant_id, id);
-- Without a list of what is pending: whoever searches would have to read what all others have just written.
create index chunks_terms on chunks using gin (terms) with (fastupdate = off);
-- Counted without a look at the table.
create index chunks_words on chunks (tenant_id, project_id, word_count);

-- The configurations that a tenant's chunks were made with: a query is reduced with each of them.
create table chunk_configs (
  tenant_id uuid not null references tenants (id),
  config text not null,
  primary key (tenant_id, config)
);
alter table chunk_configs enable row level security;
alter table chunk_configs force row level security;
create policy chunk_configs_own on chunk_configs to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert on chunk_configs to octavo_app;

-- Vectors of one model can be compared with each other and with no others.
create table embedding_spaces (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  model text not null,
  model_version text not null,
  dimensions bigint not null check (dimensions between 1 and 16000),
  chunker text not null,
  -- Searched is the active one; new chunks are written into it and into the one that is being filled.
  status text not null check (status in ('filling', 'active', 'retired')),
  -- `none`: searched one by one. `filling`: on its way into the shared graph. `shared`: in it. `own`: has an index of its own.
  graph text not null default 'none' check (graph in ('none', 'filling', 'shared', 'own')),
  created_at timestamptz(3) not null,
  activated_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index embedding_spaces_active on embedding_spaces (tenant_id) where status = 'active';
create unique index embedding_spaces_filling on embedding_spaces (tenant_id) where status = 'filling';
alter table embedding_spaces enable row level security;
alter table embedding_spaces force row level security;
create policy embedding_spaces_own on embedding_spaces to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update, delete on embedding_spaces to octavo_app;

create table chunk_vectors (
  tenant_id uuid not null,
  chunk_id uuid not null,
  -- Not a reference: whoever writes holds the row of the space, and its vectors go before it does.
  space_id uuid not null,
  document_id uuid not null,
  -- Copied from the document, so that visibility is one condition everywhere.
  project_id uuid,
  -- Of length 1.
  vector halfvec not null,
  -- Found through the graph that large tenants share; the rows of others do not pay for it.
  in_graph boolean not null default false,
  primary key (tenant_id, chunk_id, space_id),
  -- A corrected page has new chunks, so that no vector outlives the text that it was made of.
  constraint chunk_vectors_chunk foreign key (tenant_id, chunk_id) references chunks (tenant_id, id) on delete cascade,
  constraint chunk_vectors_graph_dimensions check (not in_graph or vector_dims(vector) = 384)
);
-- Vectors are not compressible, and one that stands elsewhere costs a second look.
alter table chunk_vectors alter column vector set storage plain;
create index chunk_vectors_by_space on chunk_vectors (tenant_id, space_id, in_graph);
create index chunk_vectors_by_document on chunk_vectors (tenant_id, document_id);
create index chunk_vectors_graph on chunk_vectors using hnsw ((vector::halfvec(384)) halfvec_ip_ops) where in_graph;
alter table chunk_vectors enable row level security;
alter table chunk_vectors force row level security;
create policy chunk_vectors_own on chunk_vectors to octavo_app using (
  tenant_id = (select app_tenant()) and ((select app_projects()) is null or project_id = any ((select app_projects())::uuid[]))
);
grant select, insert, update, delete on chunk_vectors to octavo_app;

-- Documents with chunks that a space has no vectors of yet: they are made up for in the background.
create table embedding_gaps (
  tenant_id uuid not null,
  space_id uuid not null,
  document_id uuid not null,
  -- Those that are there were made with another title.
  is_stale boolean not null default false,
  primary key (tenant_id, space_id, document_id),
  constraint embedding_gaps_space foreign key (tenant_id, space_id) references embedding_spaces (tenant_id, id) on delete cascade,
  constraint embedding_gaps_document foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
);
create index embedding_gaps_by_document on embedding_gaps (tenant_id, document_id);
alter table embedding_gaps enable row level security;
alter table embedding_gaps force row level security;
create policy embedding_gaps_own on embedding_gaps to octavo_app using (tenant_id = (select app_tenant()));
grant select, insert, update, delete on embedding_gaps to octavo_app;

-- What is due in the background is found for all tenants, and nothing else of it is seen.
create policy embedding_spaces_due on embedding_spaces for select to octavo_system using (true);
create policy embedding_gaps_due on embedding_gaps for select to octavo_system using (true);
create policy chunk_vectors_counted on chunk_vectors for select to octavo_system using (true);
grant select (tenant_id, id, model, status, graph, dimensions) on embedding_spaces to octavo_system;
grant select (tenant_id, space_id) on embedding_gaps to octavo_system;
grant select (tenant_id, space_id) on chunk_vectors to octavo_system;

-- The numbers of a query's lexemes, by every configuration in use. A word that one of them leaves out says little in the
-- others too, unless the query consists of nothing else.
create function search_terms(words text) returns bigint[] language sql stable as $$
  with tokens as (
    select lexeme as token from unnest(to_tsvector('simple', words)) order by positions[1] limit 32
  ), reduced as (
    select token, array(select l.lexeme from unnest(to_tsvector(c.config::regconfig, token)) as l) as lexemes
    from tokens cross join chunk_configs c where c.tenant_id = app_tenant()
  ), weighed as (
    select lexemes, bool_or(lexemes = '{}') over (partition by token) as is_common from reduced
  )
  select array(
    select distinct hashtextextended(lexeme, hashtextextended(app_tenant()::text, 0)) from weighed, unnest(lexemes) as lexeme
    where not is_common or (select bool_and(is_common) from weighed)
    limit 48
  )
$$;

-- Okapi BM25 over the chunks that hold any of the terms. Row security would keep the index from being used, since array
-- operators are not leakproof; so this runs as a role whose policies show all rows, takes the tenant and the projects from
-- where row security takes them, and answers ids and scores: the rows are then read through row security.
-- `total`, `words_mean`: of the tenant's chunks; `documents`, `labels` (metadata), `since` and `until` (ids): filters.
create function search_chunks(
  terms bigint[], total bigint, words_mean double precision, project uuid, documents uuid[], labels jsonb, since uuid, until uuid, most bigint
) returns table (chunk_id uuid, score double precision)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp set jit = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  k1 constant double precision := 2;
  b constant double precision := 0.75;
  -- More rows than this are not read for one search: the rarest terms choose them.
  max_candidates constant bigint := 20000;
  sampled constant bigint := 1000;
  tenant uuid := app_tenant();
  visible uuid[] := app_projects();
  chosen bigint[] := terms;
  counts bigint[];
  held bigint;
  frequencies text;
  weights text;
  scores text;
begin
  if cardinality(terms) = 0 then return; end if;
  if total > max_candidates then
    -- How many rows hold each term: of a common one as the share of a sample, of a rare one exactly.
    with sample as materialized (select x.terms as numbers from chunks x where x.tenant_id = tenant limit sampled)
    select array_agg(c.count order by c.at) into counts from (
      select t.at, (select count(*) from sample where sample.numbers[width_bucket(t.term, sample.numbers)] = t.term) as count
      from unnest(terms) with ordinality as t (term, at)
    ) as c;
    for i in 1 .. cardinality(terms) loop
      if counts[i] >= sampled / 40 then
        counts[i] := counts[i] * total / sampled;
      else
        -- With the term in hand the planner sees that its index is the way.
        execute 'select count(*) from (select from chunks c where c.terms @> $1 and c.tenant_id is not distinct from $2 limit $3) as x'
          into held using array[terms[i]], tenant, max_candidates;
        counts[i] := held;
      end if;
    end loop;
    select array_agg(r.term) into chosen from (
      select t.term, sum(t.count) over (order by t.count, t.term) - t.count as before from unnest(terms, counts) as t (term, count)
    ) as r where r.before < max_candidates / 2 or r.before = 0;
  end if;
  select
    string_agg(format('case when c.terms[width_bucket(%1$s::bigint, c.terms)] = %1$s::bigint
      then c.frequencies[width_bucket(%1$s::bigint, c.terms)]::float8 else 0::float8 end as f%2$s', quote_literal(t.term), t.at), ', '),
    string_agg(case when counts is null then format('ln(1 + (greatest($1, count(*)) - count(*) filter (where f%1$s > 0) + 0.5::float8)
      / (count(*) filter (where f%1$s > 0) + 0.5::float8)) as w%1$s', t.at)
      else format('ln(1 + (greatest($1 - %2$s, 0) + 0.5::float8) / (%2$s + 0.5::float8)) as w%1$s', t.at, counts[t.at]) end, ', '),
    string_agg(format('w%1$s * f%1$s * %2$s / (f%1$s + norm)', t.at, k1 + 1), ' + ')
  into frequencies, weights, scores from unnest(terms) with ordinality as t (term, at);
  return query execute format('with candidates as materialized (
      select c.id, c.document_id, %1$s * (%2$s + %3$s * c.word_count / $2::float8) as norm, %4$s
      from chunks c where c.terms && $3 and c.tenant_id %8$s $4 and ($5::uuid[] is null or c.project_id = any ($5))
      and ($6::uuid is null or c.project_id = $6) and ($7::uuid[] is null or c.document_id = any ($7))
      and ($8::uuid is null or c.document_id >= $8) and ($9::uuid is null or c.document_id < $9) limit %7$s
    ), weights as materialized (select %5$s %9$s),
    ranked as (select r.id, r.document_id, (%6$s)::float8 as score from candidates r cross join weights order by score desc, r.id)
    select ranked.id, ranked.score from ranked where exists (
      select from documents d where d.tenant_id = $4 and d.id = ranked.document_id and d.deleted_at is null and ($10 is null or d.metadata @> $10)
    ) order by ranked.score desc, ranked.id limit $11',
    k1, 1 - b, b, frequencies, weights, scores, max_candidates,
    -- The terms are the tenant's own, so that its other index would only have to be read as well; a few documents are found by it.
    case when documents is null then 'is not distinct from' else '=' end,
    case when counts is null then 'from candidates' else '' end)
  using total, greatest(words_mean, 1), chosen, tenant, visible, project, documents, since, until, labels, most;
end $$;
create policy chunks_searched on chunks for select to octavo_search using (true);
create policy documents_searched on documents for select to octavo_search using (true);
grant select (tenant_id, id, document_id, project_id, terms, frequencies, word_count) on chunks to octavo_search;
grant select (tenant_id, id, deleted_at, metadata) on documents to octavo_search;
-- An owner must be able to create what it is given.
grant create on schema public to octavo_search;
alter function search_chunks owner to octavo_search;
revoke create on schema public from octavo_search;
revoke execute on function search_chunks from public;
grant execute on function search_chunks to octavo_app;

-- The nearest vectors through a graph, which goes on until enough of them pass the conditions. `own`: the index of this space
-- alone; otherwise the one that large tenants share. Under row security: an order needs no operator to be leakproof.
create function search_graph(
  space uuid, asked halfvec, is_own boolean, project uuid, labels jsonb, since uuid, until uuid, most bigint
) returns table (chunk_id uuid, score double precision)
  language plpgsql stable
  set jit = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off
  set hnsw.ef_search = 800 set hnsw.iterative_scan = strict_order set hnsw.max_scan_tuples = 200000 set hnsw.scan_mem_multiplier = 8 as $$
begin
  return query execute format('select v.chunk_id, -(v.vector::halfvec(%1$s) <#> $1::halfvec(%1$s)) from chunk_vectors v
    where v.tenant_id = app_tenant() and %2$s
    and ($2::uuid is null or v.project_id = $2) and ($4::uuid is null or v.document_id >= $4) and ($5::uuid is null or v.document_id < $5)
    and exists (select from documents d where d.tenant_id = v.tenant_id and d.id = v.document_id and d.deleted_at is null
      and ($3::jsonb is null or d.metadata @> $3))
    order by v.vector::halfvec(%1$s) <#> $1::halfvec(%1$s) limit $6',
    vector_dims(asked), case when is_own then format('v.space_id = %L', space) else format('v.in_graph and v.space_id = %L', space) end)
  using asked, project, labels, since, until, most;
end $$;
