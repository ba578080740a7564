"""An agent with nothing but the standard library. The prompt comes on stdin, the answer goes to stdout.

An argument names a mistake to make.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
URL = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather in a city right now.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


def ask(messages):
    body = {"model": "claude-sonnet-5-5", "max_tokens": 1024, "messages": messages, "tools": TOOLS}
    headers = {
        "content-type": "application/json",
        "x-api-key": os.environ["ANTHROPIC_API_KEY"],
        "anthropic-version": "2023-06-01",
    }
    request = urllib.request.Request(URL, json.dumps(body).encode(), headers)
    for attempt in range(5):
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 504, 529) or attempt == 4:
                raise RuntimeError(f"{error.code} {error.read().decode()}") from None
            time.sleep(int(error.headers.get("retry-after-ms", 20)) / 1000)


def run_tool(name, arguments):
    if name != "get_weather":
        raise LookupError(f"no such tool: {name}")
    return f"{arguments['city']}: 21 °C"


def result_of(call):
    try:
        return {"type": "tool_result", "tool_use_id": call["id"], "content": run_tool(call["name"], call["input"])}
    except Exception as error:
        return {"type": "tool_result", "tool_use_id": call["id"], "content": str(error), "is_error": True}


def main():
    prompt = sys.stdin.read().strip()
    messages = [{"role": "user", "content": prompt}]
    for _ in range(40):
        reply = ask(messages)
        if reply["stop_reason"] != "tool_use":
            if reply["stop_reason"] != "end_turn":
                raise SystemExit(f"no answer: {reply['stop_reason']}")
            print("".join(block["text"] for block in reply["content"] if block["type"] == "text"))
            return
        results = [result_of(block) for block in reply["content"] if block["type"] == "tool_use"]
        if MISTAKE == "restarted-conversation":
            continue
        if MISTAKE == "first-call-only":
            results = results[:1]
        messages += [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": results}]
    raise SystemExit("no answer: too many turns")


main()
