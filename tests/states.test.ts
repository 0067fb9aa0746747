import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Choice } from '#kit/contract/index.ts'
import { AREAS } from '../apps/areas.contract.ts'

const root = path.join(import.meta.dirname, '..')
/** Every choice with a tone that anything declares: of fields, and of the words of areas. */
async function toned(): Promise<{ where: string; choice: Choice }[]> {
  const ofFields = AREAS.flatMap((area) =>
    area.resources.flatMap((r) =>
      Object.entries(r.fields).flatMap(([name, field]) =>
        (field.choices ?? []).map((choice) => ({ where: `${r.name}.${name}`, choice: choice as Choice })),
      ),
    ),
  )
  const files = globSync('areas/**/*.contract.ts', { cwd: root })
  const ofWords = await Promise.all(
    files.map(async (file) => {
      const module = (await import(path.join(root, file))) as Record<string, unknown>
      return Object.entries(module).flatMap(([name, value]) =>
        Array.isArray(value) && value.every((one) => one && typeof one === 'object' && 'tone' in one && 'label' in one)
          ? (value as Choice[]).map((choice) => ({ where: `${file} ${name}`, choice }))
          : [],
      )
    }),
  )
  return [...ofFields, ...ofWords.flat()].filter(({ choice }) => choice.tone)
}

describe('a state', () => {
  it('looks the same wherever its word stands', async () => {
    const known = new Map<string, { tone: string; where: string }>()
    const two = (await toned()).flatMap(({ where, choice }) => {
      const had = known.get(choice.label[0])
      known.set(choice.label[0], { tone: choice.tone!, where })
      return had && had.tone !== choice.tone
        ? [`${choice.label[0]} is ${had.tone} in ${had.where} and ${choice.tone} in ${where}`]
        : []
    })
    expect(two).toEqual([])
  })
  it('has one word and one look for each of its values in all areas', async () => {
    const known = new Map<string, string>()
    const states = (await toned()).filter(({ where }) => /state|status/i.test(where))
    const two = states.flatMap(({ where, choice }) => {
      const look = `${choice.label.join(' / ')} ${choice.tone}`
      const key = `${String(choice.value)} ${where.includes('STUDENT') || where.startsWith('student.') ? 'student' : ''}`
      const had = known.get(key)
      known.set(key, look)
      return had && had !== look ? [`${String(choice.value)}: ${had}, ${look} (${where})`] : []
    })
    expect(two).toEqual([])
  })
  it('is never coloured by a screen: the table of states does it, or the choice of the contract', () => {
    const found = globSync('{areas,kit/web}/**/*.tsx', { cwd: root }).flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return [...text.matchAll(/<Status\b[^>]*?\btone=(?:"|\{[^}]*['"[])/g)].map(
        (hit) => `${file}: ${hit[0].replace(/\s+/g, ' ')}`,
      )
    })
    expect(found).toEqual([])
  })
})
