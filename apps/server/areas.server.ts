import { existsSync } from 'node:fs'
import type { Area } from '#kit/contract/index.ts'
import { kitArea } from '#kit/contract/kit.area.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import type { AreaServer } from '#kit/server/http/area.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { AREAS } from '../areas.contract.ts'
import { folderOf } from '../folders.ts'

/** The server side of an area: what its `{name}.server.ts` exports, or nothing but the kit's own where it has none. */
async function serverOf(area: Area): Promise<AreaServer> {
  if (area === kitArea) return kitServer
  const folder = folderOf(area.name)
  const file = new URL(`../../${folder}/${area.name}.server.ts`, import.meta.url)
  if (folder === undefined || !existsSync(file)) return defineAreaServer({ area, handlers: [] })
  const exported = Object.values((await import(file.href)) as Record<string, unknown>)
  const server = exported.find((value) => (value as AreaServer | undefined)?.area === area)
  if (!server) throw new Error(`${folder}/${area.name}.server.ts exports no server side of its area`)
  return server as AreaServer
}

/** The server side of every area in `../areas.contract.ts`, in the same order. */
export const AREA_SERVERS: readonly AreaServer[] = await Promise.all(AREAS.map(serverOf))
