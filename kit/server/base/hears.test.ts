import { expect, it } from 'vitest'
import { area } from '#kit/contract/index.ts'
import { createApp } from '../http/app.ts'
import { defineAreaServer } from '../http/area.ts'
import { asks, hear, tells, unheard } from './hears.ts'
import type { Hearing } from './hears.ts'

const listening = (name: string, ...hears: Hearing[]) =>
  defineAreaServer({ area: area({ name, label: [name, name] }), handlers: [], hears })

it('what is told reaches all who hear, one after the other; what the first refuses the others do not hear', async () => {
  const rained = tells<[much: number, heard: string[]]>('sky.rained')
  const heard: string[] = []
  await rained(1, heard)
  expect(heard).toEqual([])
  listening(
    'wells',
    hear(rained, async (much, list) => {
      await Promise.resolve()
      if (much > 9) throw new Error('flood')
      list.push(`wells ${much}`)
    }),
  )
  listening(
    'fields',
    hear(rained, (much, list) => void list.push(`fields ${much}`)),
  )
  await rained(2, heard)
  expect(heard).toEqual(['wells 2', 'fields 2'])
  await expect(rained(10, heard)).rejects.toThrow('flood')
  expect(heard.length).toBe(2)
})

it('what is asked is answered by one area, and where there is none by who asks', async () => {
  const depth = asks<[well: string], number>('well.depth', () => 0)
  expect(await depth('W1')).toBe(0)
  const answer = (well: string) => Promise.resolve(well.length)
  listening('wells', hear(depth, answer))
  expect(await depth('W1')).toBe(2)
  expect(() =>
    listening(
      'ponds',
      hear(depth, () => 7),
    ),
  ).toThrow("Two areas answer 'well.depth'")
  expect(() => asks('well.depth', () => 0)).toThrow("Two areas say 'well.depth'")
})

it('a program in which nobody hears does not start', () => {
  const dried = tells('well.dried')
  expect(unheard()).toContain("nobody hears 'well.dried'")
  expect(() => createApp({ areas: [] } as never)).toThrow("nobody hears 'well.dried'")
  listening(
    'wells',
    hear(dried, () => {}),
  )
  expect(unheard()).not.toContain("nobody hears 'well.dried'")
})
