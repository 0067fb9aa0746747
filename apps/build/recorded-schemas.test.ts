import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { z as Zod } from 'zod'
import { provide, schemaOf, z } from '#kit/web/zod/recorded.ts'

const ROOT = path.join(import.meta.dirname, '../..')
let zod: typeof Zod
/** The areas, and what derives their calls. */
const read = async () => {
  const { AREAS } = await import('../areas.contract.ts')
  const { callsOf } = await import('#kit/contract/index.ts')
  return { areas: AREAS, callsOf }
}
let server: Awaited<ReturnType<typeof read>>
/** As the browser has them: with schemas that are recorded. */
let browser: typeof server

beforeAll(async () => {
  ;({ z: zod } = await vi.importActual<{ z: typeof Zod }>('zod'))
  server = await read()
  vi.resetModules()
  vi.doMock('zod', () => ({ z }))
  browser = await read()
  vi.doUnmock('zod')
}, 180_000)

describe('schemas that are recorded', () => {
  it('check nothing before Zod is there, and say what is missing', () => {
    expect(() => z.string().safeParse('a')).toThrow(/kit\/web\/zod\/zod\.ts/)
  })

  it('are built by the same steps, with what other schemas are made of', async () => {
    const name = z.string().trim().min(1)
    const base = z.object({ name, more: z.lazy((): Zod.ZodType => first.nullish()) })
    const first: Zod.ZodType = base
    const wide = z.strictObject({ first: z.int(), ...base.shape, last: z.enum(['a', 'b']).optional() })
    const used = await import('#kit/web/zod/zod.ts')
    // Modules were read anew meanwhile; these schemas are of the first reading.
    provide(used.zod)
    expect(wide.safeParse({ first: 1, name: ' x ', last: 'b' })).toMatchObject({ success: true, data: { name: 'x' } })
    expect(wide.safeParse({ first: 1, name: ' ', other: 1 }).error?.issues.map((issue) => issue.code)).toEqual([
      'too_small',
      'unrecognized_keys',
    ])
    expect(base.safeParse({ name: 'a', more: { name: '' } }).success).toBe(false)
    expect(Object.keys(wide.shape)).toEqual(['first', 'name', 'more', 'last'])
    expect('last' in wide.shape).toBe(true)
    expect(schemaOf(name)).toBeInstanceOf(zod.ZodString)
  })

  it('are made of what the browser has of Zod', async () => {
    const { zod: used } = await import('#kit/web/zod/zod.ts')
    const files = globSync('{kit,access,areas}/**/*.{contract,rules,area,web}.{ts,tsx}', { cwd: ROOT })
    const kit = globSync('kit/{contract,web}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
      (file) => !/\.test\.|\/example\./.test(file),
    )
    const named = [...files, ...kit].flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8')
      return /import \{ z \} from 'zod'/.test(text)
        ? [...text.matchAll(/\bz\.([a-z]\w*)/g)].map((found) => ({ file, name: found[1]! }))
        : []
    })
    const types = new Set(['output', 'input', 'infer', 'core'])
    expect(named.length).toBeGreaterThan(500)
    expect(named.filter(({ name }) => !types.has(name) && !(name in used))).toEqual([])
  })

  it('are those of the server, in every call of every area and every field of every resource', () => {
    const said = (schema: unknown) => zod.toJSONSchema(schema as Zod.ZodType, { unrepresentable: 'any', io: 'input' })
    const schemas = ({ areas, callsOf }: typeof server) => [
      ...areas.flatMap((area) =>
        callsOf(area).flatMap((call) =>
          (['params', 'query', 'body', 'response'] as const).flatMap((part) =>
            call[part] ? [[`${call.method} ${call.path} ${part}`, call[part]] as const] : [],
          ),
        ),
      ),
      ...areas.flatMap(({ resources }) =>
        resources.flatMap((r) =>
          Object.entries(r.fields).map(([name, field]) => [`${r.name}.${name}`, field.schema] as const),
        ),
      ),
    ]
    const own = schemas(server)
    const theirs = schemas(browser)
    expect(theirs.map(([name]) => name)).toEqual(own.map(([name]) => name))
    expect(own.length).toBeGreaterThan(1000)
    for (const [i, [name, schema]] of own.entries()) {
      const other: unknown = theirs[i]![1]
      expect(other, name).not.toBe(schema)
      expect(said(schemaOf(other)), name).toEqual(said(schema))
    }
  })
})
