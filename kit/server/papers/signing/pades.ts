/** Signs PDF files as PAdES (ETSI EN 319 142-1, baseline B-B): any reader shows who signed, and that nothing was changed since. */
import { createHash } from 'node:crypto'
import { PDFDocument, PDFHexString, PDFName, PDFNumber, PDFRef, PDFString } from '@cantoo/pdf-lib'
import { ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  Attribute,
  Certificate,
  ContentInfo,
  CryptoEngine,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'

/** Told to each call: the library's own place for it depends on whether somebody has defined `window` in this process. */
export const ENGINE = new CryptoEngine({ name: 'node', crypto: globalThis.crypto })

/** With what is signed: the certificate of the signer first, then those that it rests on (DER). */
export interface SigningKey {
  readonly certificates: readonly Uint8Array[]
  readonly key: CryptoKey
}
/** What a reader of the file shows beside the signature. */
export interface Signing {
  readonly at: Date
  readonly reason: string
  /** ASCII: where the paper is verified. */
  readonly contact: string
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
/** Bytes beside certificates that the signature may take. */
const ROOM = 4096
/** Widest number that a place in the file may have: ten digits. */
const WIDEST = 9_999_999_999

const sha256 = (...parts: readonly Uint8Array[]): ArrayBuffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return plain(hash.digest())
}
/** The bytes alone, as the library of ASN.1 takes them. */
const plain = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/**
 * The signature over some bytes, detached from them: CMS with the attributes that PAdES asks for. The time is in the file, not in the
 * signature, as EN 319 142-1 wants it.
 */
async function cms({ certificates, key }: SigningKey, digest: ArrayBuffer): Promise<Uint8Array> {
  const chain = certificates.map((one) => Certificate.fromBER(plain(one)))
  const [own] = chain
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
    certificates: chain,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: own!.issuer, serialNumber: own!.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: ContentInfo.DATA })] }),
            new Attribute({ type: MESSAGE_DIGEST, values: [new OctetString({ valueHex: digest })] }),
            // Which certificate it is, so that no other one with the same key can be put in its place. SHA-256 is what it means unless told.
            new Attribute({
              type: SIGNING_CERTIFICATE_V2,
              values: [
                new Sequence({
                  value: [
                    new Sequence({
                      value: [new Sequence({ value: [new OctetString({ valueHex: sha256(certificates[0]!) })] })],
                    }),
                  ],
                }),
              ],
            }),
          ],
        }),
      }),
    ],
  })
  await signed.sign(key, 0, 'SHA-256', undefined, ENGINE)
  const content = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
  return new Uint8Array(content.toSchema().toBER(false))
}

/**
 * Adds a signature that covers the whole file. What was there stays byte for byte; the signature is appended.
 *
 * @param pdf a finished file
 */
export async function signPdf(pdf: Uint8Array, key: SigningKey, { at, reason, contact }: Signing): Promise<Uint8Array> {
  const file = await PDFDocument.load(pdf, { forIncrementalUpdate: true, updateMetadata: false })
  const room = ROOM + key.certificates.reduce((sum, one) => sum + one.length, 0)
  const { context } = file
  const [page] = file.getPages()
  // What is new is saved whatever is noted of it. While it is made nothing is noted: for each entry of a new dictionary the
  // library would look through the whole file for the object that it belongs to, and be ten times slower.
  const { snapshot } = context
  context.snapshot = undefined
  const range = context.obj([0, WIDEST, WIDEST, WIDEST].map((n) => PDFNumber.of(n)))
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: 'ETSI.CAdES.detached',
      ByteRange: range,
      Contents: PDFHexString.of('0'.repeat(room * 2)),
      M: PDFString.fromDate(at),
      Reason: PDFHexString.fromText(reason),
      ContactInfo: PDFString.of(contact.replaceAll(/[^\w:/.%-]/g, '')),
    }),
  )
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of('Signature'),
      V: signature,
      // Nothing is drawn: what is to be seen stands on the page.
      Rect: [0, 0, 0, 0],
      F: 132,
      P: page!.ref,
    }),
  )
  const form = context.obj({ SigFlags: 3, Fields: [widget] })
  // The page is changed at this one place: the library's own way would first put its resources in order.
  const annotations = page!.node.Annots()
  if (annotations) annotations.push(widget)
  else page!.node.set(PDFName.of('Annots'), context.obj([widget]))
  file.catalog.set(PDFName.of('AcroForm'), form)
  context.snapshot = snapshot
  const listed = page!.node.get(PDFName.of('Annots'))
  for (const ref of [page!.ref, context.trailerInfo.Root, listed])
    if (ref instanceof PDFRef) snapshot!.markRefForSave(ref)
  const made = Buffer.from(await file.save({ useObjectStreams: false }))

  const from = made.indexOf('/Contents <000', pdf.length) + '/Contents '.length
  const until = from + room * 2 + 2
  const given = `[ 0 ${WIDEST} ${WIDEST} ${WIDEST} ]`
  const place = made.indexOf(given, pdf.length)
  made.write(`[ 0 ${from} ${until} ${made.length - until} ]`.padEnd(given.length), place, 'latin1')
  const content = await cms(key, sha256(made.subarray(0, from), made.subarray(until)))
  if (content.length > room) throw new Error(`A signature of ${content.length} bytes does not fit into ${room}`)
  made.write(Buffer.from(content).toString('hex'), from + 1, 'latin1')
  return new Uint8Array(made)
}
