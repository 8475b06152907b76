-- The function is replaced in one transaction, and callers of the earlier release still find the columns that they read.

-- Okapi BM25 as before, and with each row the sum of the weights of all terms: the score of a chunk of average length
-- that holds every term once. It turns the score into a share that can be compared between queries.
drop function search_chunks;
create function search_chunks(
  terms bigint[], total bigint, words_mean double precision, project uuid, documents uuid[], labels jsonb, since uuid, until uuid, most bigint
) returns table (chunk_id uuid, score double precision, weight double precision)
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
  weight_sum text;
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
    string_agg(format('w%1$s * f%1$s * %2$s / (f%1$s + norm)', t.at, k1 + 1), ' + '),
    string_agg(format('w%s', t.at), ' + ')
  into frequencies, weights, scores, weight_sum from unnest(terms) with ordinality as t (term, at);
  return query execute format('with candidates as materialized (
      select c.id, c.document_id, %1$s * (%2$s + %3$s * c.word_count / $2::float8) as norm, %4$s
      from chunks c where c.terms && $3 and c.tenant_id %8$s $4 and ($5::uuid[] is null or c.project_id = any ($5))
      and ($6::uuid is null or c.project_id = $6) and ($7::uuid[] is null or c.document_id = any ($7))
      and ($8::uuid is null or c.document_id >= $8) and ($9::uuid is null or c.document_id < $9) limit %7$s
    ), weights as materialized (select %5$s %9$s),
    ranked as (select r.id, r.document_id, (%6$s)::float8 as score, (%10$s)::float8 as weight from candidates r cross join weights order by score desc, r.id)
    select ranked.id, ranked.score, ranked.weight from ranked where exists (
      select from documents d where d.tenant_id = $4 and d.id = ranked.document_id and d.deleted_at is null and ($10 is null or d.metadata @> $10)
    ) order by ranked.score desc, ranked.id limit $11',
    k1, 1 - b, b, frequencies, weights, scores, max_candidates,
    -- The terms are the tenant's own, so that its other index would only have to be read as well; a few documents are found by it.
    case when documents is null then 'is not distinct from' else '=' end,
    case when counts is null then 'from candidates' else '' end, weight_sum)
  using total, greatest(words_mean, 1), chosen, tenant, visible, project, documents, since, until, labels, most;
end $$;
-- An owner must be able to create what it is given.
grant create on schema public to octavo_search;
alter function search_chunks owner to octavo_search;
revoke create on schema public from octavo_search;
revoke execute on function search_chunks from public;
grant execute on function search_chunks to octavo_app;
