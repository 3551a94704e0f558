/** The report's style sheet: light and dark by the reader's preference; blue is sooner, orange is later (told apart by all kinds of colour vision). */
export const STYLE = `
:root { color-scheme: light dark; --bg:#fbfbf9; --card:#fff; --text:#1c2024; --muted:#626b75; --line:#e2e5e8; --sooner:#0b63c5; --later:#b8500a; --tint:#b8500a12; --good:#16794c; --code:#f1f3f5; }
@media (prefers-color-scheme: dark) { :root { --bg:#121417; --card:#1a1d21; --text:#e8eaed; --muted:#9aa4af; --line:#2c3137; --sooner:#6cb2ff; --later:#f5a25d; --tint:#f5a25d14; --good:#5fd39a; --code:#23272c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 24px 80px; }
header p.kicker { margin: 0; color: var(--muted); font-size: 14px; }
h1 { font-size: 34px; line-height: 1.2; letter-spacing: -0.02em; margin: 6px 0 10px; max-width: 22em; text-wrap: balance; }
h1 em { font-style: normal; color: var(--sooner); } h1 em.worse { color: var(--later); }
header p.lead { margin: 0; color: var(--muted); max-width: 50em; }
h2 { font-size: 21px; letter-spacing: -0.01em; margin: 48px 0 6px; } h3.part { font-size: 17px; margin: 40px 0 6px; } h4 { font-size: 16px; margin: 0; }
p.about { margin: 0 0 16px; color: var(--muted); max-width: 50em; font-size: 15px; } .card + p.about { margin-top: 12px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 12px; margin: 14px 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
.tile span { display: block; color: var(--muted); font-size: 13px; } .tile b { display: block; font-size: 28px; line-height: 1.25; letter-spacing: -0.02em; font-weight: 650; }
.tile.better b, td.better, .delta.better { color: var(--sooner); } .tile.worse b, td.worse, .delta.worse { color: var(--later); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; overflow-x: auto; }
.notice { border-left: 4px solid var(--later); background: var(--tint); padding: 10px 14px; border-radius: 4px; margin: 20px 0 0; }
table { border-collapse: collapse; width: 100%; font-size: 14px; } th { text-align: right; color: var(--muted); font-weight: 500; vertical-align: bottom; padding: 6px 8px; border-bottom: 1px solid var(--line); }
td { text-align: right; padding: 6px 8px; border-bottom: 1px solid var(--line); white-space: nowrap; } th:first-child, td:first-child { text-align: left; padding-left: 0; } tr:last-child td { border-bottom: 0; } td.bad { color: var(--later); font-weight: 600; }
td small { color: var(--muted); }
svg.forest { width: 100%; min-width: 640px; height: auto; display: block; font: 13px system-ui, sans-serif; }
.forest text { fill: var(--text); } .forest .muted, .forest .axis, .forest .direction { fill: var(--muted); font-size: 12px; }
.forest .tick { stroke: var(--line); } .forest .one { stroke: var(--muted); } .forest .later { fill: var(--tint); }
.forest .range { stroke-width: 2; opacity: .55; } .forest .better .range { stroke: var(--sooner); } .forest .worse .range { stroke: var(--later); }
.forest .pair { opacity: .35; } .forest .better .pair, .forest .better .mid { fill: var(--sooner); } .forest .worse .pair, .forest .worse .mid { fill: var(--later); }
.forest .overall polygon { fill: var(--text); } .forest .overall text { font-weight: 650; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 14px 0; }
article > header { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; margin-bottom: 10px; } article > header a { color: var(--sooner); font-size: 14px; } article > header p { margin: 0; color: var(--muted); font-size: 14px; } .delta { font-weight: 650; }
.film { display: grid; gap: 6px; overflow-x: auto; } .times, .strip { display: grid; grid-template-columns: 76px repeat(var(--columns), minmax(88px, 1fr)); gap: 4px; align-items: center; min-width: 900px; }
.times { color: var(--muted); font-size: 12px; text-align: center; } .strip .label { font-size: 13px; font-weight: 600; } .strip small { display: block; font-weight: 400; color: var(--muted); }
.strip img, .strip .blank { display: block; width: 100%; aspect-ratio: var(--shape); object-fit: cover; object-position: top; border: 2px solid var(--line); border-radius: 4px; background: #fff; }
.strip .done { border-color: color-mix(in srgb, var(--good) 40%, var(--line)); } .strip .first { border-color: var(--good); box-shadow: 0 0 0 1px var(--good); }
p.shares-key { margin: 0 0 10px; font-size: 13px; color: var(--muted); } .shares-key .share { width: 14px; height: 10px; margin: 0 6px 0 12px; }
.share { display: inline-block; } .share.needed { background: var(--good); } .share.waste { background: var(--later); } .share.idle { background: var(--line); }
.shares { display: grid; grid-template-columns: 160px 1fr; gap: 8px 14px; align-items: center; font-size: 13px; min-width: 640px; } .shares b { font-weight: 500; text-align: right; }
.bar { display: flex; align-items: center; height: 14px; padding-right: 110px; } .bar .share { height: 11px; flex: none; } .bar small { flex: none; margin-left: 6px; color: var(--muted); white-space: nowrap; }
details { margin-top: 10px; font-size: 14px; } summary { cursor: pointer; color: var(--muted); } .why { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 16px; margin-top: 10px; } .why td:first-child { white-space: normal; overflow-wrap: anywhere; }
code { background: var(--code); border-radius: 4px; padding: 1px 5px; font-size: 13px; } .grid2 { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 14px; } .empty { color: var(--muted); } footer { margin-top: 56px; color: var(--muted); font-size: 14px; }
@media (max-width: 640px) { h1 { font-size: 26px; } .why, .grid2 { grid-template-columns: 1fr; } }
`;
