-- GCRA with cost, for all buckets of a request at once: all are charged or none.
-- KEYS: buckets. ARGV, four for each: quota, window in ms, units needed, units wanted (a lease that saves round trips).
-- Fewer than none are given back; none at all is a look.
-- Answers three for each: units granted (0: refused), units remaining, ms until full (or until it would pass).
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer, arrivals, is_refused = {}, {}, false
for i, key in ipairs(KEYS) do
  local quota, window = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2])
  local need, want = tonumber(ARGV[i * 4 - 1]), tonumber(ARGV[i * 4])
  local interval = window / quota
  local start = math.max(tonumber(redis.call('GET', key) or now), now)
  local left = math.floor((window - (start - now)) / interval + 0.0001)
  local at = i * 3 - 2
  if left < need then
    is_refused = true
    answer[at], answer[at + 1], answer[at + 2] = 0, math.max(0, left), math.ceil(start + need * interval - window - now)
  else
    local granted = math.min(want, left)
    -- What is given back never makes more than a full bucket.
    arrivals[i] = math.max(now, start + granted * interval)
    answer[at], answer[at + 1], answer[at + 2] = granted, left - granted, math.ceil(arrivals[i] - now)
  end
end
if not is_refused then
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.3f', arrivals[i]), 'PX', math.ceil(arrivals[i] - now) + 1000)
  end
end
return answer
