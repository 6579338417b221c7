package expr

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math/bits"

	"github.com/cespare/xxhash/v2"
	"github.com/dgryski/go-farm"
)

const categoryHash = "hash"

func init() {
	registerDigest("MD5", digests[128], "The MD5 hash of the bytes of a string or a BYTES, as 32 hexadecimal digits.", "MD5('abc')", "900150983cd24fb0d6963f7d28e17f72")
	registerDigest("SHA1", digests[160], "The SHA-1 hash of the bytes of a string or a BYTES, as 40 hexadecimal digits.", "SHA1('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d")
	registerDigest("SHA224", digests[224], "The SHA-224 hash of the bytes of a string or a BYTES, as 56 hexadecimal digits.", "SHA224('abc')", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")
	registerDigest("SHA256", digests[256], "The SHA-256 hash of the bytes of a string or a BYTES, as 64 hexadecimal digits.", "LEFT(SHA256('abc'), 16)", "ba7816bf8f01cfea")
	registerDigest("SHA384", digests[384], "The SHA-384 hash of the bytes of a string or a BYTES, as 96 hexadecimal digits.", "LEFT(SHA384('abc'), 16)", "cb00753f45a35e8b")
	registerDigest("SHA512", digests[512], "The SHA-512 hash of the bytes of a string or a BYTES, as 128 hexadecimal digits.", "LEFT(SHA512('abc'), 16)", "ddaf35a193617aba")
	Register(Function{
		Name: "SHA2", Category: categoryHash,
		Doc:     "The SHA-2 hash of 224, 256, 384 or 512 bits of the bytes of a string or a BYTES, as hexadecimal digits.",
		Example: "LEFT(SHA2('abc', 256), 16)", ExampleResult: "ba7816bf8f01cfea",
		Overloads: []Overload{sha2(stringParam), sha2(bytesParam)},
	})
	registerHash("XXHASH64", xxhash.Sum64, "The 64-bit xxHash, with seed 0, of the bytes of a string or a BYTES.", "XXHASH64('abc')", "4952883123889572249")
	registerHash("CRC32", func(b []byte) uint64 { return uint64(crc32.ChecksumIEEE(b)) }, "The CRC-32 checksum of the bytes of a string or a BYTES.", "CRC32('abc')", "891568578")
	registerHash("FARM_FINGERPRINT", farm.Fingerprint64, "The 64-bit FarmHash fingerprint of the bytes of a string or a BYTES.", "FARM_FINGERPRINT('abc')", "2640714258260161385")
	registerHash("MURMUR3", func(b []byte) uint64 { return uint64(int64(int32(murmur3(b)))) }, "The 32-bit MurmurHash3, with seed 0, of the bytes of a string or a BYTES, as a number with a sign.", "MURMUR3('abc')", "-1277324294")
}

// digests are the hash functions that give text, by their bits; they append the hexadecimal digits.
var digests = map[int64]func(dst, s []byte) []byte{
	128: func(dst, s []byte) []byte { h := md5.Sum(s); return hex.AppendEncode(dst, h[:]) },
	160: func(dst, s []byte) []byte { h := sha1.Sum(s); return hex.AppendEncode(dst, h[:]) },
	224: func(dst, s []byte) []byte { h := sha256.Sum224(s); return hex.AppendEncode(dst, h[:]) },
	256: func(dst, s []byte) []byte { h := sha256.Sum256(s); return hex.AppendEncode(dst, h[:]) },
	384: func(dst, s []byte) []byte { h := sha512.Sum384(s); return hex.AppendEncode(dst, h[:]) },
	512: func(dst, s []byte) []byte { h := sha512.Sum512(s); return hex.AppendEncode(dst, h[:]) },
}

func registerDigest(name string, digest func(dst, s []byte) []byte, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryHash, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{
			stringFunction(textOf(digest)),
			{Params: []Param{bytesParam}, Returns: returns(String), Slow: true, Compile: only(textOf(digest))},
		},
	})
}

func sha2(p Param) Overload {
	return Overload{Params: []Param{p, named(intParam, "bits")}, Returns: returns(String), Fails: Sometimes, Slow: true, Compile: only(sha2Kernel)}
}

func sha2Kernel(f *Frame, args []*Vector, out *Vector) error {
	size := numberArg[int64](args[1])
	for _, row := range f.Rows() {
		n := size.row(row)
		if n < 224 || digests[n] == nil {
			if err := f.Fail(row, "the bits of SHA2 must be 224, 256, 384 or 512"); err != nil {
				return err
			}
			continue
		}
		out.data = digests[n](out.data, args[0].bytes(row))
		out.end(row)
	}
	return nil
}

// registerHash adds a hash function that gives a BIGINT.
func registerHash(name string, hash func([]byte) uint64, doc, example, result string) {
	kernel := func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int64](out)
		for _, row := range f.Rows() {
			o[row] = int64(hash(args[0].bytes(row)))
		}
		return nil
	}
	Register(Function{
		Name: name, Category: categoryHash, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{
			{Params: []Param{stringParam}, Returns: returns(BigInt), Slow: true, Compile: only(kernel)},
			{Params: []Param{bytesParam}, Returns: returns(BigInt), Slow: true, Compile: only(kernel)},
		},
	})
}

// murmur3 is MurmurHash3 for x86 of 32 bits, with seed 0.
func murmur3(b []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h, size := uint32(0), uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(b)*c1, 15) * c2
		h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
	}
	var tail [4]byte
	copy(tail[:], b)
	h ^= bits.RotateLeft32(binary.LittleEndian.Uint32(tail[:])*c1, 15) * c2
	h ^= size
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
