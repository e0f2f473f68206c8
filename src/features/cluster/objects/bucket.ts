/** Which bucket of which store, and where it is. */

export interface S3Settings {
  readonly bucket: string;
  /** Of all names: empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: Amazon's, of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly keys: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/** The bucket: below the endpoint of another store, and by its own name on Amazon unless a certificate would not cover it. */
export const bucketAddressOf = ({
  bucket,
  region,
  endpoint,
}: Pick<S3Settings, "bucket" | "region" | "endpoint">): URL => {
  if (endpoint !== null) return new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}`);
  const amazon = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  return new URL(bucket.includes(".") ? `https://${amazon}/${bucket}` : `https://${bucket}.${amazon}`);
};
