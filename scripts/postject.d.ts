declare module "postject" {
  /** Adds a resource to an executable file, in place, and marks the file at the text `sentinelFuse`. Rejects when it cannot. */
  export function inject(
    file: string,
    resource: string,
    content: Uint8Array,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>;
}
