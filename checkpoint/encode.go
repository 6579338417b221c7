package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"
)

// manifestFormat is the version of a manifest's encoding that this program writes, and the newest it reads.
const manifestFormat = 1

// A stored manifest is a header and a payload, which is JSON, compressed if that is worth it:
//
//	offset 0  4 bytes  "SQMF"
//	       4  1 byte   format
//	       5  1 byte   compression: 0 none, 1 zstd
//	       6  4 bytes  CRC32C of the payload, little-endian
const (
	manifestMagic  = "SQMF"
	manifestHeader = 10
	plain          = 0
	compressed     = 1
	compressAbove  = 4 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the CRC32C of data.
func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

var (
	zstdEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	zstdDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
)

func encodeManifest(m *Manifest) ([]byte, error) {
	payload, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode manifest of checkpoint %d: %w", m.ID, err)
	}
	header := append([]byte(manifestMagic), manifestFormat, plain, 0, 0, 0, 0)
	if len(payload) > compressAbove {
		header[5] = compressed
		payload = zstdEncoder.EncodeAll(payload, nil)
	}
	binary.LittleEndian.PutUint32(header[6:], checksum(payload))
	return append(header, payload...), nil
}

func decodeManifest(stored []byte) (*Manifest, error) {
	if len(stored) < manifestHeader || string(stored[:4]) != manifestMagic {
		return nil, fmt.Errorf("the manifest is torn: %d bytes without a manifest's header", len(stored))
	}
	if format := stored[4]; format > manifestFormat {
		return nil, fmt.Errorf("the manifest has format %d, written by a newer engine; this one reads up to %d", format, manifestFormat)
	}
	payload := stored[manifestHeader:]
	if checksum(payload) != binary.LittleEndian.Uint32(stored[6:]) {
		return nil, fmt.Errorf("the manifest is damaged: its checksum does not match")
	}
	if stored[5] == compressed {
		var err error
		if payload, err = zstdDecoder.DecodeAll(payload, nil); err != nil {
			return nil, fmt.Errorf("the manifest cannot be decompressed: %w", err)
		}
	}
	m := new(Manifest)
	if err := json.Unmarshal(payload, m); err != nil {
		return nil, fmt.Errorf("the manifest cannot be decoded: %w", err)
	}
	return m, nil
}
