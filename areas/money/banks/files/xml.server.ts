/** Reads XML of banks: no document type, no entities but the five of XML, nothing deep, nothing long. Runs in a thread. */
import xml from 'sax'
import { camtReader } from './camt.rules.ts'
import type { ReadFile } from './statement.rules.ts'

const DEEPEST = 40
/** Characters of one element's text, and of one name or tag. */
const LONGEST = 20_000
const CHUNK = 65_536

const stop = (code: string, data: Readonly<Record<string, unknown>> = {}) =>
  Object.assign(new Error(code), { code, data })

/** @throws with a code of a refusal: `file_xml_doctype`, `file_xml_deep`, `file_xml_broken`, and what the reader refuses */
export function readCamt(text: string): ReadFile {
  const reader = camtReader()
  const sax = xml.parser(true, { trim: false, position: true, unparsedEntities: false })
  let depth = 0
  let collected = ''
  let reason: Error | null = null
  // A handler that throws leaves the parser where it is; nothing more is written to it.
  const fail = (error: Error) => {
    reason ??= error
    throw error
  }
  sax.onerror = (error) => fail(stop('file_xml_broken', { line: sax.line + 1, reason: error.message.split('\n')[0] }))
  sax.ondoctype = () => fail(stop('file_xml_doctype'))
  sax.onopentag = ({ name, attributes }) => {
    if (++depth > DEEPEST) fail(stop('file_xml_deep', { most: DEEPEST }))
    collected = ''
    const at = name.indexOf(':')
    const namespace = depth === 1 ? attributes[at < 0 ? 'xmlns' : `xmlns:${name.slice(0, at)}`] : undefined
    reader.open(at < 0 ? name : name.slice(at + 1), attributes.Ccy, namespace)
  }
  sax.onclosetag = () => {
    depth--
    reader.close(collected)
    collected = ''
  }
  sax.ontext = sax.oncdata = (found) => {
    collected += found
    if (collected.length > LONGEST) fail(stop('file_xml_long', { most: LONGEST }))
  }
  // The parser sees a document type only when it is whole: nobody waits for that.
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw stop('file_xml_doctype')
  try {
    for (let at = 0; at < text.length; at += CHUNK) sax.write(text.slice(at, at + CHUNK))
    sax.close()
  } catch (error) {
    throw reason ?? error
  }
  return reader.end()
}
