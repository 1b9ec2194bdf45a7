import { expect, test } from 'vitest';
import { may } from '#domain/permissions.ts';
import { roles } from '#domain/staff/roles.ts';
import { sectionAt, sections, sectionsFor } from '#src/app/sections.tsx';
import { pathOf } from '#src/navigation/path-of.ts';
import type { Section } from '#src/app/sections.tsx';

const counter = sections.find(({ name }) => name === 'counter')!;
const desk: Section = { ...counter, path: 'desk', roles: ['admin', 'manager'], offline: false };
const table = [desk, counter];
const paths = (...asked: Parameters<typeof sectionsFor>) => sectionsFor(...asked).map(({ path }) => path);

test('every role has a start section, online and offline', () => {
  for (const role of roles) {
    expect(sectionsFor(role, 'online').length).toBeGreaterThan(0);
    expect(paths(role, 'offline')[0]).toBe('counter');
  }
});

test('who reads patients has them beside the counter offline, who takes payments the cash drawer, and no role has more', () => {
  for (const role of roles)
    expect(paths(role, 'offline')).toEqual([
      'counter',
      ...(may(role, 'patient.read') ? ['patients'] : []),
      ...(may(role, 'drawer.use') ? ['drawer'] : []),
    ]);
});

test('managers start at the dashboard, the kitchen at the board, and counter staff at the counter', () => {
  expect(roles.map((role) => paths(role, 'online')[0])).toEqual([
    'dashboard',
    'dashboard',
    'counter',
    'counter',
    'kitchen',
  ]);
  expect(paths('kitchen', 'online')).toEqual(['kitchen', 'counter', 'profile']);
});

test('a section is visible to its roles only', () => {
  expect(paths('admin', 'online', table)).toEqual(['desk', 'counter']);
  expect(paths('manager', 'online', table)).toEqual(['desk', 'counter']);
  expect(paths('counter', 'online', table)).toEqual(['counter']);
  expect(paths('kitchen', 'online', table)).toEqual(['counter']);
});

test('every role has only the counter after an offline sign-in', () => {
  expect(paths('admin', 'offline', table)).toEqual(['counter']);
});

test('administrators work under /admin, everyone else under /', () => {
  expect(roles.map((role) => pathOf(role, 'counter'))).toEqual([
    '/admin/counter',
    '/counter',
    '/counter',
    '/counter',
    '/counter',
  ]);
});

test('an address opens its section, and an unknown address the start section', () => {
  expect(sectionAt('/admin/stock', 'admin', 'online').name).toBe('stock');
  expect(sectionAt('/stock', 'manager', 'online').name).toBe('stock');
  expect(sectionAt('/counter', 'admin', 'online').name).toBe('counter');
  expect(sectionAt('/stock', 'counter', 'online').name).toBe('counter');
  expect(sectionAt('/admin/stock', 'admin', 'offline').name).toBe('counter');
  expect(sectionAt('/', 'manager', 'online').name).toBe('dashboard');
});
