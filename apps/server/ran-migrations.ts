import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * Migrations that were changed after they ran in the database of a folder: a database runs each once, so it goes on
 * without the change. What is new is noted in the folder, as it stands. Functions are not among them: they are replaced.
 *
 * @param squashed migrations of a release that became the baseline: they are gone, and rightly
 */
export function changedSinceTheyRan(migrations: string, dataDir: string, squashed: readonly string[] = []): string[] {
  const note = path.join(dataDir, 'migrations.json')
  const noted = fs.existsSync(note) ? (JSON.parse(fs.readFileSync(note, 'utf8')) as Record<string, string>) : {}
  const gone = new Set(squashed.map((name) => `${name}.sql`))
  const ran = Object.fromEntries(Object.entries(noted).filter(([file]) => !gone.has(file)))
  const now = Object.fromEntries(
    fs
      .readdirSync(migrations)
      .filter((file) => file.endsWith('.sql'))
      .map((file) => [
        file,
        createHash('sha256')
          .update(fs.readFileSync(path.join(migrations, file)))
          .digest('hex'),
      ]),
  )
  fs.writeFileSync(note, `${JSON.stringify({ ...now, ...ran }, null, 2)}\n`)
  return Object.keys(ran)
    .filter((file) => now[file] !== ran[file])
    .toSorted()
}
