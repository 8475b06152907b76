/** Light, with room; a table that scrolls on a phone and breaks between rows on paper. */
export const style = `
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,"Noto Sans","Liberation Sans",sans-serif;color:#1f2937;background:#fff;-webkit-text-size-adjust:100%}
body{margin:0}
main{max-width:88rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
header p{margin:.25rem 0 0;color:#5b6472}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:2rem 0 0}
dl div{padding:.75rem 1rem;border:1px solid #e5e7eb;border-radius:8px}
dt{color:#5b6472;font-size:.875rem}
dd{margin:.125rem 0 0;font-size:1.25rem;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
section{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1.5rem 2rem;margin:2rem 0 0}
figure{margin:0;min-width:0}
figcaption{font-weight:600;margin-bottom:.5rem;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto;max-width:46rem}
.note{margin:2rem 0 0;padding:.625rem 1rem;border-left:4px solid #b7791f;background:#fdf6e3}
.table{margin:2rem 0 0;overflow-x:auto}
.table:focus-visible{outline:2px solid #2f6f8f;outline-offset:4px}
table{border-collapse:collapse;width:100%;font-size:.875rem}
caption{text-align:start;font-weight:600;padding-bottom:.5rem}
th,td{padding:.5rem .625rem;text-align:start;vertical-align:top;border-bottom:1px solid #e5e7eb}
th:first-child,td:first-child{padding-inline-start:0}
th{font-weight:600;border-bottom:2px solid #1f2937;white-space:nowrap}
td{white-space:pre-line}
.m{white-space:normal;min-width:16rem}
td p,td ul,td ol,td pre,td blockquote{margin:0 0 .5rem}
td :last-child{margin-bottom:0}
td ul,td ol{padding-inline-start:1.25rem}
.n{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}
.t{white-space:nowrap;font-variant-numeric:tabular-nums}
@media print{
@page{size:A4 landscape;margin:14mm}
html{font-size:11px}
main{max-width:none;padding:0}
.table{overflow:visible}
thead{display:table-header-group}
tr,figure,dl div{break-inside:avoid}
}
`
