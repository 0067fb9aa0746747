import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * Releases whose migrations were squashed into the baseline: `releases/VERSION.json`. A database that has had exactly
 * these is what the baseline makes, so it is taken over as it stands.
 */
export const releasesFolder = path.join(import.meta.dirname, 'releases')

/** A release, as the baseline was made from it. */
export interface Release {
  version: string
  /** The migrations it had. */
  migrations: readonly string[]
  /** Those that make the same at once. */
  baseline: readonly string[]
}

/** A database, or a backup, that stands between releases. The message says what to do first. */
export class BetweenReleases extends Error {
  override name = 'BetweenReleases'
}

export async function readReleases(folder = releasesFolder): Promise<Release[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Release))
}

/**
 * The release of which migrations ran, to be taken over; undefined: none of them ran, they are those of today.
 *
 * @throws {BetweenReleases} when some of a release ran and not all, or others beside them
 */
export function releaseOf(ran: readonly string[], releases: readonly Release[]): Release | undefined {
  const had = new Set(ran)
  for (const release of releases) {
    const lacking = release.migrations.filter((name) => !had.has(name))
    if (lacking.length === release.migrations.length) continue
    if (lacking.length)
      throw new BetweenReleases(
        `It stands before release ${release.version}: ${lacking.length} of its ${release.migrations.length} migrations have not run, ` +
          `the first is ${lacking[0]}. Start version ${release.version} on it once, then this one.`,
      )
    const known = new Set(release.migrations)
    const others = ran.filter((name) => !known.has(name))
    if (others.length)
      throw new BetweenReleases(
        `Beside the migrations of release ${release.version} it has had ${others.join(', ')}, which this version does not know. ` +
          'Start the version that brought them.',
      )
    return release
  }
  return undefined
}

/** The same migrations by the names they have today. @throws {BetweenReleases} */
export const namesOfToday = (ran: readonly string[], releases: readonly Release[]): readonly string[] =>
  releaseOf(ran, releases)?.baseline ?? ran
