#!/usr/bin/env bash
# An agent of bash and curl; JSON is read by Node. The prompt comes on stdin, the answer goes to stdout.
# An argument names a mistake to make.
set -euo pipefail
mistake="${1:-}"
read -r prompt

# What the next request's messages are: those sent so far, the reply, and a result for each of its calls.
grow='
const [messages, reply, mistake] = process.argv.slice(1);
const { content } = JSON.parse(reply);
const results = content.flatMap((block) =>
  block.type !== "tool_use" ? [] : [{ type: "tool_result", tool_use_id: block.id, content: block.input.city + ": 21 °C" }]);
const kept = mistake === "text-only-history" ? content.map((block) => block.text ?? "").join("") || "(calls)" : content;
console.log(JSON.stringify([...JSON.parse(messages),
  { role: "assistant", content: kept }, { role: "user", content: results }]));
'
read_reply='
const [reply, what] = process.argv.slice(1);
const { stop_reason, content } = JSON.parse(reply);
console.log(what === "why" ? stop_reason : content.map((block) => block.text ?? "").join(""));
'
tools='[{"name":"get_weather","description":"The weather in a city right now.","input_schema":
  {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]'

messages=$(node -e 'console.log(JSON.stringify([{ role: "user", content: process.argv[1] }]))' "$prompt")
for _ in 1 2 3 4 5 6 7 8; do
  reply=$(curl --silent --show-error --fail-with-body "$ANTHROPIC_BASE_URL/v1/messages" \
    --header "x-api-key: $ANTHROPIC_API_KEY" --header "anthropic-version: 2023-06-01" \
    --header "content-type: application/json" \
    --data "{\"model\":\"claude-sonnet-5-5\",\"max_tokens\":1024,\"messages\":$messages,\"tools\":$tools}") || {
    echo "$reply" >&2
    exit 1
  }
  if [ "$(node -e "$read_reply" "$reply" why)" != tool_use ]; then
    node -e "$read_reply" "$reply" text
    exit 0
  fi
  messages=$(node -e "$grow" "$messages" "$reply" "$mistake")
done
echo "no answer: too many turns" >&2
exit 1
