import { expect, it } from 'vitest'
import { area, call, owned, ownedReason, screen } from '#kit/contract/index.ts'
import type { Door } from '#kit/contract/index.ts'
import { defineAreaServer } from '../http/area.ts'
import { handle } from '../base/context.ts'
import { ownedTables, ownerMistakes } from './owners.ts'

const close = call('POST', '/wells/close/{id}', { permission: 'signed_in', summary: ['Close a well', 'إغلاق بئر'] })
const wells = (doors: readonly Door[], onScreen = '/wells') =>
  owned({
    name: 'well',
    one: ['Well', 'بئر'],
    table: 'wells',
    state: 't.state',
    states: {
      open: { label: ['Open', 'مفتوح'], owner: ['who digs it', 'من يحفره'], doors: [] },
      closed: { label: ['Closed', 'مغلق'], owner: ['the council', 'المجلس'], screen: onScreen, doors },
    },
  })
const served = (...owners: ReturnType<typeof wells>[]) => [
  defineAreaServer({
    area: area({
      name: 'wells',
      label: ['Wells', 'الآبار'],
      calls: { close },
      screens: [screen('/wells/:id?', { permission: 'signed_in', title: ['Wells', 'الآبار'] })],
      owners,
    }),
    handlers: [handle(close, () => Promise.resolve(undefined as never))],
  }),
]

it('a door of a state is a call, a workflow or a job that is there, and its screen is one', () => {
  expect(ownerMistakes(served(wells(['POST /wells/close/{well_id}'])))).toEqual([])
  expect(ownerMistakes(served(wells(['PUT /wells/close/{id}', { steps: 'flood' }, { job: 'dry' }], '/ponds')))).toEqual(
    [
      'well closed is done on /ponds, which is no screen',
      'well closed is reached by PUT /wells/close/{id}, which is not declared',
      'well closed is reached by steps of flood, which is no workflow',
      'well closed is reached by the job dry, which is not there',
    ],
  )
})
it('a state has one owner', () => {
  expect(ownerMistakes(served(wells([]), wells([])))).toEqual(['the states of well have two owners'])
  expect(ownedTables(served(wells([]))).map((one) => one.name)).toContain('well')
})
it('the answer names the state, whose step it is and where that is done', () => {
  expect(ownedReason(wells([]), 'closed', { name: 'W1' }, 'ids.0')).toEqual({
    field: 'ids.0',
    code: 'state_owned',
    data: {
      what: 'W1',
      state: 'Closed',
      state_local: 'مغلق',
      owner: 'the council',
      owner_local: 'المجلس',
      link: '/wells',
    },
  })
})
