// SPDX-License-Identifier: Apache-2.0
#include "report/page/style.h"

namespace strobe::page {

// Colours of series are Okabe and Ito's, which people with any colour vision tell apart, darkened on white until lines
// reach a contrast of 3 and letters one of 4.5. Nothing is told by colour alone, and a colour means one thing: green,
// amber and red the verdict, the others a series. What is drawn across a series is black, and what surrounds it grey.
const std::string_view kStyle = R"css(
:root{color-scheme:light dark;
--page:#fff;--card:#f7f8fa;--ink:#1a1d21;--soft:#50565e;--rule:#d5d9de;--focus:#0057b8;
--s0:#0072b2;--s1:#c04f00;--s2:#00795a;--s3:#a0447a;--s4:#8a6500;--s5:#3f4a57;--warm:#e3dfea;--zone:#e2e6eb;
--good-ink:#005c43;--good:#dff3ea;--doubt-ink:#6d4300;--doubt:#fdf0d0;--bad-ink:#961b00;--bad:#fde5de;
--behind:var(--page);--edge:rgba(0,0,0,.35)}
@media (prefers-color-scheme:dark){:root{
--page:#14171a;--card:#1d2125;--ink:#eceff2;--soft:#b3bac2;--rule:#3b4148;--focus:#7cc4ff;
--s0:#56b4e9;--s1:#f0883e;--s2:#2fc298;--s3:#dd8fb8;--s4:#f0e442;--s5:#b3bac2;--warm:#35303e;--zone:#30363d;
--good-ink:#6fe0bb;--good:#12352b;--doubt-ink:#ffcf70;--doubt:#3a2c0b;--bad-ink:#ff9f87;--bad:#421a11;
--edge:rgba(255,255,255,.4)}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#333;--rule:#bbb;
--s0:#0072b2;--s1:#c04f00;--s2:#00795a;--s3:#a0447a;--s4:#8a6500;--s5:#3f4a57;--warm:#e3dfea;--zone:#e2e6eb;
--good-ink:#005c43;--good:#fff;--doubt-ink:#6d4300;--doubt:#fff;--bad-ink:#961b00;--bad:#fff}
.card,.finding,.verdict{break-inside:avoid}button,.readout,.zoom{display:none!important}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.45 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:1060px;margin:0 auto;padding:20px 16px 48px}
h1,h2,h3,h4{line-height:1.2;margin:32px 0 12px;font-size:1.25rem}
header h1,header h2{font-size:1.6rem;margin:0}figure h3,figure h4{font-size:1rem;margin:0 0 8px}
p{margin:6px 0}
.subject,.aside,figcaption,caption,.readout{color:var(--soft)}
.subject{margin:4px 0 16px}
.aside,figcaption{font-size:.9rem}
.hero{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:16px;align-items:stretch}
.hero>div{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:14px 18px}
.figure{font-size:2.6rem;font-weight:700;line-height:1.1;margin:2px 0}
.figure small{font-size:1.05rem;font-weight:400;white-space:nowrap}
.verdict{border-left-width:6px!important}
.verdict .word{display:flex;gap:10px;align-items:center;font-size:1.5rem;font-weight:700}
.reason{font-size:1.08rem}
.verdict svg{width:30px;height:30px;flex:none}
.trusted{background:var(--good)!important;border-color:var(--good-ink)!important}.trusted .word{color:var(--good-ink)}
.caution{background:var(--doubt)!important;border-color:var(--doubt-ink)!important}.caution .word{color:var(--doubt-ink)}
.invalid{background:var(--bad)!important;border-color:var(--bad-ink)!important}.invalid .word{color:var(--bad-ink)}
.findings{display:grid;gap:8px;margin-bottom:8px}
.finding h3,.finding h4{font-size:1rem;margin:0 0 4px}.finding ul{margin:0;padding:0;list-style:none}.finding li{margin:4px 0}
.finding{border:1px solid var(--rule);border-left-width:6px;border-radius:6px;padding:8px 12px;background:var(--card)}
.finding.warning{border-left-color:var(--doubt-ink)}.finding.bad{border-left-color:var(--bad-ink)}
.tag{font-weight:700}
.facts{columns:2 440px;column-gap:32px}.facts>*{break-inside:avoid}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:16px}
.column{display:flex;flex-direction:column;gap:16px;min-width:0}.column>:last-child{flex:1}
.card{background:var(--card);--behind:var(--card);border:1px solid var(--rule);border-radius:8px;margin:0;padding:12px;min-width:0}
.columns+.card,.card.wide+.card.wide{margin-top:16px}
@media (min-width:960px){.card.wide{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);column-gap:32px;align-items:start}
.card.wide>h2,.card.wide>h3,.card.wide>h4{grid-column:1/-1}.card.wide .scroll{max-height:max(12rem,calc(var(--high)*1px - 90px))}}
figcaption details{color:var(--ink)}
.zoom{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:4px 0;font-size:.9rem;color:var(--soft)}
.zoom button{padding:3px 10px}.zoom [role=status]{font-variant-numeric:tabular-nums}
.plot[data-zoom] svg{touch-action:pan-y}.plot.zoomed svg{cursor:grab}.plot.dragged svg{cursor:grabbing}
svg .mark.on .span{stroke:var(--ink);stroke-width:2}
.plot svg{display:block;width:100%;max-width:640px;height:auto;margin:0 auto;overflow:visible}
.readout{display:block;min-height:1.5em;font-size:.9rem;font-variant-numeric:tabular-nums;color:var(--ink)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
/* A table that is wider than its box shows a shadow at the side where more of it is; the first two layers move with the
table and cover the shadow at its ends. */
.scroll{overflow:auto;margin:8px 0;background:linear-gradient(90deg,var(--behind) 40%,transparent) 0 0/36px 100% no-repeat local,
linear-gradient(270deg,var(--behind) 40%,transparent) 100% 0/36px 100% no-repeat local,
linear-gradient(90deg,var(--edge),transparent) 0 0/14px 100% no-repeat,
linear-gradient(270deg,var(--edge),transparent) 100% 0/14px 100% no-repeat}
.scroll.more caption::before{content:"scroll → ";font-weight:600;color:var(--ink)}
table{border-collapse:collapse;width:100%;font-size:.93rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
caption{text-align:left;font-size:.9rem;padding-bottom:4px}
th,td{text-align:left;padding:5px 14px 5px 0;border-bottom:1px solid var(--rule);vertical-align:top}
thead th{font-weight:600;white-space:nowrap}
tbody th{font-weight:600;min-width:7em}
.r{text-align:right}
td.r,td data,.nowrap{white-space:nowrap}
details{margin:10px 0}
summary{cursor:pointer;font-weight:600;padding:4px 0}
button{font:inherit;font-weight:600;color:var(--page);background:var(--ink);border:0;border-radius:6px;padding:9px 16px;cursor:pointer}
a{color:var(--focus)}
nav{margin-bottom:28px}
nav li{margin-bottom:8px}
nav code{font-size:.85em;overflow-wrap:anywhere}
.record+.record{border-top:3px solid var(--rule);margin-top:40px;padding-top:24px}
svg text{font:13px system-ui,sans-serif;fill:var(--ink)}
svg .tick{font-size:12.5px;fill:var(--soft)}svg .note{font-size:12.5px}svg .label,svg .value{font-size:13px}
svg .note,svg .label,svg .value,svg .group{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
svg .group{font-weight:700}svg .value{font-variant-numeric:tabular-nums}
svg .mid{text-anchor:middle}svg .end{text-anchor:end}
svg .grid{stroke:var(--rule);stroke-width:1;fill:none}svg .axis{stroke:var(--soft);fill:none}
svg .line{fill:none;stroke-width:1.8;stroke-linejoin:round}
svg .line.s0{stroke:var(--s0)}svg .line.s1{stroke:var(--s1);stroke-dasharray:7 3}svg .line.s2{stroke:var(--s2)}
svg .line.s3{stroke:var(--s3);stroke-dasharray:2 3}svg .line.s4{stroke:var(--s4)}svg .line.s5{stroke:var(--s5)}
svg .line.context{stroke:var(--soft)}
svg .s0{fill:var(--s0)}svg .s1{fill:var(--s1)}svg .s2{fill:var(--s2)}svg .s3{fill:var(--s3)}
svg .s4{fill:var(--s4)}svg .s5{fill:var(--s5)}svg .line.s0,svg .line.s1,svg .line.s2,svg .line.s3,svg .line.s4,svg .line.s5{fill:none}
svg .band{fill:var(--s0);fill-opacity:.25}svg .warm{fill:var(--warm)}svg .zone{fill:var(--zone)}
svg .span{stroke:var(--page);stroke-width:1}svg .inside{fill:var(--page);font-size:12.5px}svg .pale~.inside{fill:var(--ink)}
svg .dot{stroke:var(--page);stroke-width:1}svg .pale{fill-opacity:.5}
svg .ring{stroke-width:1.6}svg .ring.s0{stroke:var(--s0)}svg .ring.s1{stroke:var(--s1)}svg .ring.s2{stroke:var(--s2)}
svg .ring.s3{stroke:var(--s3)}svg .ring.s4{stroke:var(--s4)}svg .ring.s5{stroke:var(--s5)}
svg .ring.s0,svg .ring.s1,svg .ring.s2,svg .ring.s3,svg .ring.s4,svg .ring.s5{fill:var(--page)}
svg .err{stroke:var(--ink);stroke-width:1.6;fill:none}
svg .truth{stroke:var(--ink);stroke-width:2.4;fill:none}
svg .shift,svg .mode{stroke:var(--ink);stroke-width:1.6;stroke-dasharray:5 3;fill:none}
svg .drift{stroke:var(--ink);stroke-width:2.2;fill:none}svg .over{fill:var(--s0)}
svg .bad{stroke:var(--bad-ink);stroke-width:2.6;fill:none}
svg .hit{fill:var(--ink);fill-opacity:0}svg .mark.on .hit{fill-opacity:.14}
@media (max-width:520px){main{padding:14px 10px 32px}.card{padding:10px 8px}header h1,header h2{font-size:1.35rem}.figure{font-size:2.2rem}
td:last-child:not(.r):not(:nth-child(-n+3)){min-width:12em}svg text,svg .label,svg .value{font-size:14px}svg .tick,svg .note,svg .inside{font-size:14px}}
)css";

// A mark's own title is what is shown and read out, so pictures need no second copy of their figures.
const std::string_view kScript = R"js(
(function () {
  'use strict';
  function each(selector, act) { document.querySelectorAll(selector).forEach(act); }
  each('.plot', function (plot) {
    var marks = Array.from(plot.querySelectorAll('.mark')), at = -1;
    var out = plot.querySelector('.readout');
    function show(i) {
      if (i < 0 || i >= marks.length || i === at) return;
      if (at >= 0) marks[at].classList.remove('on');
      at = i;
      marks[at].classList.add('on');
      plot.dispatchEvent(new CustomEvent('mark', {detail: marks[at]}));
      out.textContent = marks[at].querySelector('title').textContent;
    }
    function pointed(event) {
      var mark = event.target.closest('.mark');
      if (mark) show(marks.indexOf(mark));
    }
    plot.addEventListener('pointermove', pointed);
    plot.addEventListener('pointerdown', pointed);
    plot.addEventListener('keydown', function (event) {
      if (event.shiftKey) return;
      var to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
                PageDown: at + 10, PageUp: at - 10, Home: 0, End: marks.length - 1}[event.key];
      if (to === undefined || !marks.length) return;
      event.preventDefault();
      show(Math.max(0, Math.min(marks.length - 1, to)));
    });
  });
  if (!matchMedia('(min-width:960px)').matches) each('.card.wide details', function (d) { d.open = false; });
  function mind(box) { box.classList.toggle('more', box.scrollWidth > box.clientWidth + 1); }
  function mind_all() { each('.scroll', mind); }
  mind_all();
  addEventListener('resize', mind_all);
  each('details', function (d) { d.addEventListener('toggle', mind_all); });
  each('button[data-record]', function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      var text = document.getElementById(button.dataset.record).textContent;
      var link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
      link.download = button.dataset.name;
      link.click();
      setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
    });
  });
  addEventListener('beforeprint', function () { each('details.print', function (d) { d.open = true; }); });
})();
)js";

}  // namespace strobe::page
