import type { ComponentType, FunctionComponent } from 'react'
import type { Outlet } from '#kit/contract/outlet.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { part } from '../later.ts'
import type { AreaWeb } from './area.ts'

/** How each area's web file is fetched, by name of the area. */
export type AreaLoaders = Readonly<Record<string, () => Promise<{ default: AreaWeb }>>>
/** Which area fills a place of another's screen, by the name of the place. */
export type Outlets = Readonly<Record<string, string>>

let areas: AreaLoaders = {}
let outlets: Outlets = {}
/** Says where the web sides of areas are fetched. */
export const setAreaWebs = (given: AreaLoaders, outletAreas: Outlets): void => {
  areas = given
  outlets = outletAreas
}

/** The web side of an area; undefined: it has none. */
export const areaWebOf = async (name: string): Promise<AreaWeb | undefined> => (await areas[name]?.())?.default

/**
 * What another area shows in a place of this one's screen, fetched when it is first shown, within the nearest `Suspense`.
 *
 * @example const Requirements = filled(requirementsOfProgram)
 */
export const filled = <Props extends object>({ name }: Outlet<Props>): FunctionComponent<Props> =>
  part(async () => {
    const area = outlets[name]
    if (area === undefined) throw new Error(`nobody fills ${name}`)
    const [web] = await Promise.all([areaWebOf(area), loadTexts(area)])
    const found = web?.fills?.find((fill) => fill.outlet === name)
    if (!found) throw new Error(`${area} shows nothing in ${name}`)
    return (await found.load()) as unknown as ComponentType<Props>
  })
