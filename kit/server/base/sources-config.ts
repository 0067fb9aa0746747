import { z } from 'zod'
import { webAddress } from './web-address.ts'

/** Where publications are asked for; null: not asked. */
export interface PublicationSourcesConfig {
  /** `https://api.crossref.org` */
  readonly crossref: string | null
  /** `https://pub.orcid.org` */
  readonly orcid: string | null
  /** `https://api.openalex.org` */
  readonly openalex: string | null
  /** Who asks, as these services wish to know. */
  readonly contact: string | null
}
export const SOURCE_VARIABLES = {
  CROSSREF_URL: webAddress.optional(),
  ORCID_URL: webAddress.optional(),
  OPENALEX_URL: webAddress.optional(),
  PUBLICATIONS_CONTACT: z.email().max(200).optional(),
}
type Given = { readonly [K in keyof typeof SOURCE_VARIABLES]?: string | undefined }
const bare = (address: string | undefined): string | null => address?.replace(/\/+$/, '') ?? null
export const publicationSourcesOf = (v: Given): PublicationSourcesConfig => ({
  crossref: bare(v.CROSSREF_URL),
  orcid: bare(v.ORCID_URL),
  openalex: bare(v.OPENALEX_URL),
  contact: v.PUBLICATIONS_CONTACT ?? null,
})
