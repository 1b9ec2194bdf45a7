import { expect, test } from 'vitest';
import { may } from '../../../domain/permissions.ts';
import { roles } from '../../../domain/staff/roles.ts';
import { sectionAt, sections, sectionsFor } from '../../../src/app/sections.tsx';
import { pathOf } from '../../../src/navigation/path-of.ts';
import type { Section } from '../../../src/app/sections.tsx';

const counter = sections.find(({ name }) => name === 'counter')!;
const desk: Section = { ...counter, path: 'desk', roles: ['admin', 'manager'], offline: false };
const table = [desk, counter];
const paths = (...asked: Parameters<typeof sectionsFor>) => sectionsFor(...asked).map(({ path }) => path);

test('every role has a section to start at, with or without the server', () => {
  for (const role of roles) {
    expect(sectionsFor(role, 'online').length).toBeGreaterThan(0);
    expect(paths(role, 'offline')[0]).toBe('counter');
  }
});

test('without the server, whoever takes payments has the counter and the cash drawer, and nobody has more', () => {
  for (const role of roles)
    expect(paths(role, 'offline')).toEqual(may(role, 'drawer.use') ? ['counter', 'drawer'] : ['counter']);
});

test('managers start at the dashboard, who prepares at the board, whoever works at the counter there', () => {
  expect(roles.map((role) => paths(role, 'online')[0])).toEqual([
    'dashboard',
    'dashboard',
    'counter',
    'counter',
    'kitchen',
  ]);
  expect(paths('kitchen', 'online')).toEqual(['kitchen', 'counter', 'profile']);
});

test('a section shows only to its roles', () => {
  expect(paths('admin', 'online', table)).toEqual(['desk', 'counter']);
  expect(paths('manager', 'online', table)).toEqual(['desk', 'counter']);
  expect(paths('counter', 'online', table)).toEqual(['counter']);
  expect(paths('kitchen', 'online', table)).toEqual(['counter']);
});

test('who signed in without the server gets the counter only, whatever their role', () => {
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

test('an address leads to its section, and any other to where one starts', () => {
  expect(sectionAt('/admin/stock', 'admin', 'online').name).toBe('stock');
  expect(sectionAt('/stock', 'manager', 'online').name).toBe('stock');
  expect(sectionAt('/counter', 'admin', 'online').name).toBe('counter');
  expect(sectionAt('/stock', 'counter', 'online').name).toBe('counter');
  expect(sectionAt('/admin/stock', 'admin', 'offline').name).toBe('counter');
  expect(sectionAt('/', 'manager', 'online').name).toBe('dashboard');
});
