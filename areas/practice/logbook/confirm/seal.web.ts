/** Seals a PIN on the phone of an intern, so that only the server reads it: it may wait there until there is a line. */

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Browsers seal on pages that came by https alone. */
export const canSeal = (): boolean => globalThis.crypto?.subtle !== undefined

/** The PIN for one entry. `key`: the point of the university. */
export async function sealPin(pin: string, uuid: string, key: string): Promise<string> {
  const { subtle } = crypto
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const [theirs, own] = await Promise.all([
    subtle.importKey('raw', bytesOf(key), curve, false, []),
    subtle.generateKey(curve, true, ['deriveBits']),
  ])
  const point = new Uint8Array(await subtle.exportKey('raw', own.publicKey))
  const secret = new Uint8Array(await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256))
  const joined = new Uint8Array(secret.length + point.length)
  joined.set(secret)
  joined.set(point, secret.length)
  const shared = await subtle.importKey('raw', await subtle.digest('SHA-256', joined), 'AES-GCM', false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const told = new TextEncoder()
  const sealed = new Uint8Array(
    await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: told.encode(uuid) }, shared, told.encode(pin)),
  )
  return textOf(new Uint8Array([...point, ...iv, ...sealed]))
}
