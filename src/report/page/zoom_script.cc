// SPDX-License-Identifier: Apache-2.0
#include "report/page/style.h"

namespace strobe::page {

// Spans keep their height and their letters: only where they begin and end is drawn anew. A wheel zooms where the
// picture has the focus, or with Ctrl, so that nobody who scrolls past is held up.
const std::string_view kZoomScript = R"js(
(function () {
  'use strict';
  var LETTER = 7.2, UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
  function element_of(svg, name, attributes, words) {
    var e = document.createElementNS(svg.namespaceURI, name);
    for (var key in attributes) e.setAttribute(key, attributes[key]);
    if (words !== undefined) e.textContent = words;
    return e;
  }
  function unit_of(t) { return UNITS.find(function (u) { return t >= u[0]; }) || UNITS[3]; }
  function time(t, unit, step) {
    var digits = Math.max(0, Math.ceil(-Math.log10(step / unit[0]) - 1e-9));
    return (t / unit[0]).toFixed(digits) + ' ' + unit[1];
  }
  function time_line(plot) {
    var frame = plot.dataset.zoom.split(' ').map(Number), left = frame[0], right = frame[1], whole = frame[4];
    var svg = plot.querySelector('svg'), axis = svg.querySelector('.axis-x');
    function element(name, attributes, words) { return element_of(svg, name, attributes, words); }
    var ours = element('g', {});
    var from = 0, to = whole, least = Math.max(1, whole / 1e6), asked = false, drag = null, status;
    var marks = Array.from(svg.querySelectorAll('.mark')).map(function (g) {
      var at = g.dataset.at.split(' ').map(Number);
      return {g: g, rect: g.querySelector('rect'), text: g.querySelector('text'), from: at[0], to: at[1]};
    });
    axis.after(ours);
    function x(t) { return left + (t - from) / (to - from) * (right - left); }
    function label(m, a, b) {
      var fits = m.g.dataset.name.length * LETTER + 6 < b - a;
      if (fits && !m.text)
        m.text = m.g.appendChild(element('text', {'class': 'inside', y: +m.rect.getAttribute('y') + 16}, m.g.dataset.name));
      if (!m.text) return;
      m.text.style.display = fits ? '' : 'none';
      m.text.setAttribute('x', (a + 4).toFixed(1));
    }
    function place(m) {
      var a = x(m.from), b = Math.max(x(m.to), a + 1), shown = b > left && a < right;
      m.g.style.display = shown ? '' : 'none';
      if (!shown) return;
      a = Math.max(a, left);
      b = Math.max(Math.min(b, right), a);
      m.rect.setAttribute('x', a.toFixed(1));
      m.rect.setAttribute('width', (b - a).toFixed(1));
      label(m, a, b);
    }
    function step_of(length) {
      var raw = length / 4, ten = Math.pow(10, Math.floor(Math.log10(raw)));
      return ten * [1, 2, 5, 10].find(function (f) { return f * ten >= raw * 0.999; });
    }
    function ticks() {
      var step = step_of(to - from), unit = unit_of(to);
      for (var t = Math.ceil(from / step) * step; t <= to; t += step) {
        var at = x(t).toFixed(1);
        ours.append(element('path', {'class': 'grid', d: 'M' + at + ' ' + frame[2] + 'L' + at + ' ' + frame[3]}));
        if (x(t) > left + 20 && x(t) < right - 20)
          ours.append(element('text', {'class': 'tick mid', x: at, y: frame[3] + 16}, time(t, unit, step)));
      }
      ours.append(element('path', {'class': 'axis', d: 'M' + left + ' ' + frame[3] + 'L' + right + ' ' + frame[3]}));
    }
    function draw() {
      var all = from === 0 && to === whole;
      asked = false;
      marks.forEach(place);
      axis.style.display = all ? '' : 'none';
      ours.textContent = '';
      if (!all) ticks();
      plot.classList.toggle('zoomed', !all);
      var unit = unit_of(to), fine = (to - from) / 100;
      status.textContent = all ? 'all of ' + time(whole, unit_of(whole), whole / 100)
        : time(from, unit, fine) + ' to ' + time(to, unit, fine);
    }
    function look(begin, length) {
      length = Math.max(least, Math.min(whole, length));
      from = Math.max(0, Math.min(whole - length, begin));
      to = length === whole ? whole : from + length;
      if (!asked) requestAnimationFrame(draw);
      asked = true;
    }
    function zoom(factor, at) {
      var length = Math.max(least, Math.min(whole, (to - from) * factor));
      look(at - (at - from) * length / (to - from), length);
    }
    function move(share) { look(from + share * (to - from), to - from); }
    function middle() { return (from + to) / 2; }
    function scale() { return svg.viewBox.baseVal.width / svg.getBoundingClientRect().width; }
    function time_at(event) {
      var at = (event.clientX - svg.getBoundingClientRect().left) * scale();
      return from + (Math.max(left, Math.min(right, at)) - left) / (right - left) * (to - from);
    }
    var acts = {
      'Zoom in': ['+', function () { zoom(0.5, middle()); }],
      'Zoom out': ['−', function () { zoom(2, middle()); }],
      'Earlier': ['←', function () { move(-0.5); }],
      'Later': ['→', function () { move(0.5); }],
      'Show all': ['all', function () { look(0, whole); }]
    };
    var keys = {'+': 'Zoom in', '=': 'Zoom in', '-': 'Zoom out', '0': 'Show all', 'Escape': 'Show all'};
    function controls() {
      var bar = document.createElement('div');
      bar.className = 'zoom';
      Object.keys(acts).forEach(function (name) {
        var button = document.createElement('button');
        button.type = 'button';
        button.title = name;
        button.setAttribute('aria-label', name);
        button.textContent = acts[name][0];
        button.addEventListener('click', acts[name][1]);
        bar.append(button);
      });
      status = document.createElement('span');
      status.setAttribute('role', 'status');
      bar.append(status);
      plot.prepend(bar);
    }
    plot.addEventListener('keydown', function (event) {
      var name = event.shiftKey && event.key === 'ArrowLeft' ? 'Earlier'
        : event.shiftKey && event.key === 'ArrowRight' ? 'Later' : keys[event.key];
      if (!name || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      acts[name][1]();
    });
    plot.addEventListener('wheel', function (event) {
      var out = event.deltaY > 0, wanted = event.ctrlKey || plot.contains(document.activeElement);
      if (!wanted || (out && from === 0 && to === whole)) return;
      event.preventDefault();
      if (event.deltaY) zoom(out ? 1.25 : 0.8, time_at(event));
      else move(event.deltaX > 0 ? 0.1 : -0.1);
    }, {passive: false});
    svg.addEventListener('pointerdown', function (event) {
      if (event.button === 0 && (from > 0 || to < whole)) drag = {x: event.clientX, from: from};
    });
    svg.addEventListener('pointermove', function (event) {
      if (!drag) return;
      if (!plot.classList.contains('dragged') && Math.abs(event.clientX - drag.x) < 4) return;
      if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
      plot.classList.add('dragged');
      look(drag.from - (event.clientX - drag.x) * scale() / (right - left) * (to - from), to - from);
    });
    ['pointerup', 'pointercancel'].forEach(function (name) {
      svg.addEventListener(name, function () {
        drag = null;
        plot.classList.remove('dragged');
      });
    });
    plot.addEventListener('mark', function (event) {
      var m = marks.find(function (m) { return m.g === event.detail; });
      if (m && (m.to < from || m.from > to)) look((m.from + m.to) / 2 - (to - from) / 2, to - from);
    });
    controls();
    draw();
  }
  document.querySelectorAll('.plot[data-zoom]').forEach(time_line);
})();
)js";

}  // namespace strobe::page
