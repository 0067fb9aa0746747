import { expect, test } from 'vitest'
import { cameBetween } from './between.server.ts'

test.each([
  ['the seat was taken', { code: '23514', constraint: 'registration_slots_seat_free' }, true],
  ['the group was filled', { code: '23514', constraint: 'offering_slots_seats' }, true],
  ['another rule of the database', { code: '23514', constraint: 'registrations_status' }, false],
  ['the student came in by another way', { code: '23505' }, true],
  ['the offering was removed', { code: '23503' }, true],
  ['control took a step', { code: 'UE409' }, true],
  ['two met', { code: '40P01' }, true],
  ['a mistake of the program', new TypeError('x'), false],
  ['nothing that is known', undefined, false],
])('%s', (_, error, again) => expect(cameBetween(error)).toBe(again))
